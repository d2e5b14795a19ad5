import { concat, JsonRpcProvider, NonceManager, Wallet, zeroPadValue } from 'ethers';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { ContractSignatures } from '../../../src/modules/wallets/contract-signatures';
import { RecoveredSignatures } from '../../../src/modules/wallets/message-signatures';
import { EvmChain } from '../../../src/platform/chains/evm/evm-chain';
import { recoverSigner } from '../../../src/platform/chains/evm/signed-message';
import type { SandboxChain } from '../../../src/sandbox/sandbox-chain';
import { startStillChain } from '../../sandbox/local-chain';
import { except, ScriptedProvider } from '../../platform/chains/scripted-provider';
import artefact from '../../support/contract-wallet.json';

const owner = new Wallet(`0x${'11'.repeat(32)}`);
const stranger = new Wallet(`0x${'22'.repeat(32)}`);
const message = 'Prove control of this wallet.\nNonce: 7';
const keys = new RecoveredSignatures({ bnb: recoverSigner });

let sandbox: SandboxChain;
let signatures: ContractSignatures;
let contractWallet: string;
let stop: () => Promise<void>;

async function deploy(): Promise<string> {
  const provider = new JsonRpcProvider(sandbox.rpcUrl, undefined, { staticNetwork: true, cacheTimeout: -1 });
  const signer = new NonceManager(new Wallet(sandbox.accounts[9]?.privateKey ?? '', provider));
  const sent = await signer.sendTransaction({
    data: concat([artefact.bytecode, zeroPadValue(owner.address, 32)]),
    gasLimit: 1_000_000,
  });
  await sandbox.mine(1);
  const receipt = await provider.getTransactionReceipt(sent.hash);
  provider.destroy();
  return receipt?.contractAddress ?? '';
}

beforeAll(async () => {
  const still = await startStillChain('bnb');
  ({ sandbox, stop } = still);
  signatures = new ContractSignatures(keys, (_, network) => (network === 'bnb' ? still.chain : null));
  contractWallet = await deploy();
});

afterAll(() => stop());

function verify(address: string, signature: string, text = message): Promise<boolean> {
  return signatures.verify({ mode: 'test', network: 'bnb', address }, text, signature);
}

it('is proven by what the contract accepts', async () => {
  expect(await verify(contractWallet, await owner.signMessage(message))).toBe(true);
});

it('is proven by a plain key without its chain being asked', async () => {
  const away = new ContractSignatures(keys, () => {
    throw new Error('nobody was to be asked');
  });
  const signer = { mode: 'test', network: 'bnb', address: owner.address } as const;
  expect(await away.verify(signer, message, await owner.signMessage(message))).toBe(true);
});

it.each<[string, () => Promise<string> | string]>([
  ["a stranger's", () => stranger.signMessage(message)],
  ["the owner's for another text", () => owner.signMessage(`${message} `)],
  ['one that the contract reverts for', () => '0x01'],
  ['one that breaks the contract', () => '0x0102'],
  ['one that is answered by more than the four bytes', () => '0x010203'],
  ['one that is answered by nothing', () => '0x01020304'],
  ['one that is answered by two words', () => '0x0102030405'],
  ['an empty one', () => '0x'],
  ['what is no hex', () => 'signed'],
  ['half a byte', () => '0x0'],
  ['one that is too long', () => `0x${'00'.repeat(5_000)}`],
])('is not proven by a signature that is %s', async (_, make) => {
  expect(await verify(contractWallet, await make())).toBe(false);
});

it('is not proven where no contract stands, nor by a contract that is no wallet', async () => {
  const signature = await owner.signMessage(message);
  expect(await verify(stranger.address, signature)).toBe(false);
  expect(await verify(TOKENS['usdt-bnb'].contract.test, signature)).toBe(false);
});

it('is refused for a contract that is yet to be deployed, with what to do instead', async () => {
  const signature = `${await owner.signMessage(message)}${'6492'.repeat(16)}`;
  await expect(verify(contractWallet, signature)).rejects.toMatchObject({
    code: 'invalid_challenge_field',
    param: 'signature',
    message: expect.stringMatching(/deploy it .* micro_deposit/) as string,
  });
});

it('waits for the chain where its provider is away or refuses', async () => {
  const wrong = await stranger.signMessage(message);
  const away = new EvmChain({ network: 'bnb', mode: 'test', urls: ['http://127.0.0.1:1'] });
  const signer = { mode: 'test', network: 'bnb', address: contractWallet } as const;
  const unavailable = { code: 'provider_unavailable' };
  await expect(new ContractSignatures(keys, () => away).verify(signer, message, wrong)).rejects.toMatchObject(
    unavailable,
  );
  const busy = await ScriptedProvider.start(
    except('eth_getCode', () => ({ error: { code: -32_005, message: 'limit exceeded' } })),
  );
  const chain = new EvmChain({ network: 'bnb', mode: 'test', urls: [busy.url] });
  await expect(new ContractSignatures(keys, () => chain).verify(signer, message, wrong)).rejects.toMatchObject(
    unavailable,
  );
  await busy.stop();
});
