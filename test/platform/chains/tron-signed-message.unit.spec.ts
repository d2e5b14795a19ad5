import { concat, hashMessage, id, keccak256, N, SigningKey, toBeHex, toUtf8Bytes } from 'ethers';
import { evmTwin, tronAddress, tronTwin } from '../../../src/platform/chains/tron/tron-address';
import { recoverTronSigner } from '../../../src/platform/chains/tron/signed-message';

const key = new SigningKey(`0x${'42'.repeat(32)}`);
const message = 'Prove control of this wallet.\nnonce: 7 ✓';
/** The address of the key's 20 bytes. */
const address = tronTwin(`0x${keccak256(`0x${key.publicKey.slice(4)}`).slice(-40)}`);

function v2(text: string): string {
  const bytes = toUtf8Bytes(text);
  return key.sign(keccak256(concat([toUtf8Bytes(`\x19TRON Signed Message:\n${bytes.length}`), bytes]))).serialized;
}

const signature = v2(message);
const s = BigInt(`0x${signature.slice(66, 130)}`);
const v = Number(`0x${signature.slice(130)}`);
const withV = (value: number) => signature.slice(0, -2) + value.toString(16).padStart(2, '0');

test('the signer of a message is recovered, its length counted in bytes', () => {
  expect(recoverTronSigner(message, signature)).toBe(address);
});

test('v may be 0 or 1, and 0x may be left out', () => {
  expect(recoverTronSigner(message, withV(v - 27))).toBe(address);
  expect(recoverTronSigner(message, signature.slice(2))).toBe(address);
  expect(recoverTronSigner(message, signature.slice(2).toUpperCase())).toBe(address);
});

test('another text, another key, or another recovery id never recovers the signer', () => {
  expect(recoverTronSigner(`${message} `, signature)).not.toBe(address);
  expect(recoverTronSigner(message, withV(v === 27 ? 28 : 27))).not.toBe(address);
});

test('the older way of signing, and the one of other networks, do not count', () => {
  const v1 = key.sign(keccak256(concat([toUtf8Bytes('\x19TRON Signed Message:\n32'), toUtf8Bytes(message)])));
  const v1OfHash = key.sign(keccak256(concat([toUtf8Bytes('\x19TRON Signed Message:\n32'), id(message)])));
  for (const other of [v1, v1OfHash, key.sign(hashMessage(message))]) {
    expect(recoverTronSigner(message, other.serialized)).not.toBe(address);
  }
});

test('the twin with the upper half’s s is refused, though the same key would be recovered', () => {
  const twin = `${signature.slice(0, 66)}${toBeHex(N - s, 32).slice(2)}${v === 27 ? '1c' : '1b'}`;
  expect(recoverTronSigner(message, twin)).toBeNull();
});

test.each<[string, string]>([
  ['nothing', ''],
  ['0x', '0x'],
  ['garbage', 'not a signature'],
  ['64 bytes', signature.slice(0, -2)],
  ['66 bytes', `${signature}00`],
  ['a v that no wallet writes', withV(37)],
  ['r and s of zero', `0x${'0'.repeat(128)}1b`],
])('%s is no signature', (_name, text) => {
  expect(recoverTronSigner(message, text)).toBeNull();
});

describe('an address', () => {
  const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
  const twin = '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c';

  test('is the same 20 bytes on either network', () => {
    expect(tronTwin(twin)).toBe(usdt);
    expect(evmTwin(usdt)).toBe(twin);
    expect(tronAddress(`41${twin.slice(2)}`)).toBe(usdt);
    expect(tronAddress(usdt)).toBe(usdt);
  });

  test.each([
    ['another case', usdt.toLowerCase()],
    ['a wrong checksum', `${usdt.slice(0, -1)}u`],
    ['33 characters', usdt.slice(0, -1)],
    ['a space', `${usdt} `],
    ['0x before its hex', `0x41${twin.slice(2)}`],
    ['an EVM address', twin],
    ['another prefix', `42${twin.slice(2)}`],
    ['the zero address', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ['nothing', ''],
  ])('is not %s', (_name, text) => {
    expect(tronAddress(text)).toBeNull();
    expect(evmTwin(text)).toBeNull();
  });
});
