import { N, toBeHex, Wallet } from 'ethers';
import { recoverSigner } from '../../../src/platform/chains/evm/signed-message';

const wallet = new Wallet(`0x${'42'.repeat(32)}`);
const message = 'Prove control of this wallet.\nnonce: 7\n';
let signature: string;

beforeAll(async () => {
  signature = await wallet.signMessage(message);
});

const r = () => signature.slice(2, 66);
const s = () => BigInt(`0x${signature.slice(66, 130)}`);
const v = () => signature.slice(130);

test('the signer of a message is recovered', () => {
  expect(recoverSigner(message, signature)).toBe(wallet.address);
  expect(recoverSigner(message, `0x${signature.slice(2).toUpperCase()}`)).toBe(wallet.address);
});

test('a recovery id of 0 or 1 means 27 or 28', () => {
  const short = (Number(`0x${v()}`) - 27).toString(16).padStart(2, '0');
  expect(recoverSigner(message, signature.slice(0, -2) + short)).toBe(wallet.address);
});

test('the accents of a message are signed as UTF-8', async () => {
  expect(recoverSigner('Café ✓', await wallet.signMessage('Café ✓'))).toBe(wallet.address);
});

test('another message, or another recovery id, never recovers the signer', () => {
  expect(recoverSigner(`${message} `, signature)).not.toBe(wallet.address);
  expect(recoverSigner(message, signature.slice(0, -2) + (v() === '1b' ? '1c' : '1b'))).not.toBe(wallet.address);
});

test('the twin with the upper half’s s is refused, though the same key would be recovered', () => {
  const twin = `0x${r()}${toBeHex(N - s(), 32).slice(2)}${v() === '1b' ? '1c' : '1b'}`;
  expect(recoverSigner(message, twin)).toBeNull();
});

test.each<[string, () => string]>([
  ['nothing', () => ''],
  ['0x', () => '0x'],
  ['garbage', () => 'not a signature'],
  ['64 bytes', () => signature.slice(0, -2)],
  ['66 bytes', () => `${signature}00`],
  ['no 0x', () => signature.slice(2)],
  ['a v that no wallet writes', () => `${signature.slice(0, -2)}25`],
  ['r and s of zero', () => `0x${'0'.repeat(128)}1b`],
  ['an r that is on no curve point', () => `0x${'f'.repeat(64)}${signature.slice(66)}`],
])('%s is no signature', (_name, text) => {
  expect(recoverSigner(message, text())).toBeNull();
});
