import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Contract, JsonRpcProvider } from 'ethers';
import { TOKENS } from '../../src/vocabulary/tokens';
import { EvmChain } from '../../src/platform/chains/evm/evm-chain';
import { isRunning } from '../../src/sandbox/anvil-process';
import { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { sandboxToken } from '../../src/sandbox/placed-token';
import { eventually } from '../support/service-process';
import { startSandbox, startStillChain, temporaryFolder } from './local-chain';

const BLOCK_LIMIT_MS = 10_000;
const MERCHANT = '0x000000000000000000000000000000000000bEEF';

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
});

afterEach(async () => {
  await SandboxChain.stopFolder(folder);
  remove();
});

const recordFile = () => path.join(folder, 'sandbox-bnb.json');
const record = () => JSON.parse(readFileSync(recordFile(), 'utf8')) as Record<string, unknown>;
const watch = (sandbox: SandboxChain) =>
  new EvmChain({ network: sandbox.network as 'bnb' | 'base', mode: 'test', urls: [sandbox.rpcUrl] });

describe('a chain with blocks of its own', () => {
  let kept: string;
  let removeKept: () => void;
  let first: SandboxChain;

  beforeAll(async () => {
    ({ folder: kept, remove: removeKept } = temporaryFolder());
    first = await startSandbox(kept);
  });
  afterAll(async () => {
    await SandboxChain.stopFolder(kept);
    removeKept();
  });

  test('is found by a second start, and its blocks have gone on', async () => {
    const { hash, number } = await watch(first).head();
    const second = await startSandbox(kept);
    expect([first.fresh, second.fresh]).toEqual([true, false]);
    expect([second.pid, second.rpcUrl, second.genesisHash]).toEqual([first.pid, first.rpcUrl, first.genesisHash]);
    const chain = watch(second);
    expect((await chain.blockAt(number))?.hash).toBe(hash);
    await eventually('a later block', BLOCK_LIMIT_MS, async () => (await chain.head()).number > number || null);
  });

  test('is in a session of its own, so what ends the service does not end it', () => {
    const { pid } = first;
    const [, , , session] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    expect(Number(session)).toBe(pid);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
  });

  test('has files that no other account reads', async () => {
    const [payer] = first.accounts;
    await first.sendToken({ tokenId: 'usdt-bnb', to: MERCHANT, baseUnits: 1n, from: payer, isRemembered: true });
    const modes = new Map(readdirSync(kept).map(name => [name, statSync(path.join(kept, name)).mode & 0o077]));
    expect([...modes.keys()]).toEqual(
      expect.arrayContaining(['sandbox-bnb.json', 'sandbox-bnb.log', 'sandbox-bnb-sent']),
    );
    expect(new Set(modes.values())).toEqual(new Set([0]));
  });
});

test('two networks of one folder live side by side, with the testnets’ chain ids and decimals', async () => {
  const [bnb, base] = await Promise.all([startSandbox(folder), startSandbox(folder, { network: 'base' })]);
  expect([bnb.chainId, base.chainId]).toEqual([97, 84_532]);
  await watch(bnb).check();
  await watch(base).check();
  expect(new Set(await SandboxChain.stopFolder(folder))).toEqual(new Set(['bnb', 'base']));
  expect([bnb.pid, base.pid].map(isRunning)).toEqual([false, false]);
  expect(readdirSync(folder)).toEqual([]);
});

test('chains made in the same second differ from their first block on', async () => {
  const { folder: elsewhere, remove: removeElsewhere } = temporaryFolder();
  const chains = await Promise.all([startSandbox(folder), startSandbox(elsewhere)]);
  expect(new Set(chains.map(chain => chain.genesisHash)).size).toBe(2);
  await chains[1].stop();
  removeElsewhere();
});

test('a chain that was stopped, or killed, or not furnished to its end, is replaced by a fresh one', async () => {
  const first = await startSandbox(folder);
  await first.stop();
  expect(isRunning(first.pid)).toBe(false);
  expect(existsSync(recordFile())).toBe(false);
  const second = await startSandbox(folder);
  expect(second.fresh).toBe(true);
  expect(second.genesisHash).not.toBe(first.genesisHash);
  process.kill(second.pid, 'SIGKILL');
  const third = await startSandbox(folder);
  expect(third.fresh).toBe(true);
  writeFileSync(recordFile(), JSON.stringify({ ...record(), genesis_hash: null }));
  const fourth = await startSandbox(folder);
  expect(fourth.fresh).toBe(true);
  expect(isRunning(third.pid)).toBe(false);
});

test('a process that got the recorded number since is left alone', async () => {
  const stale = {
    pid: process.pid,
    port: 9,
    chain_id: 97,
    genesis_hash: '0x00',
    started_at: new Date(0).toISOString(),
  };
  writeFileSync(recordFile(), JSON.stringify(stale));
  expect(await SandboxChain.stopFolder(folder)).toEqual([]);
  expect(existsSync(recordFile())).toBe(false);
});

test.each(['', '{', '{"pid":1}'])('a record %j that is none does not stop the start', async text => {
  writeFileSync(recordFile(), text);
  expect((await startSandbox(folder)).fresh).toBe(true);
  expect(record()).toMatchObject({ chain_id: 97 });
});

test.each([
  ['that is not there', '/nowhere/anvil', 'invalid_config'],
  ['that may not be run', __filename, 'invalid_config'],
  ['that ends at once', '/bin/false', 'provider_unavailable'],
])('a program %s is refused and leaves nothing behind', async (_fault, anvilPath, code) => {
  await expect(startSandbox(folder, { anvilPath })).rejects.toMatchObject({ code });
  expect(readdirSync(folder)).toEqual([]);
});

describe('a still chain', () => {
  let still: Awaited<ReturnType<typeof startStillChain>>;
  beforeAll(async () => (still = await startStillChain()));
  afterAll(() => still.stop());

  test('tokens are where the testnet has them, and only their balances move', async () => {
    const { sandbox, stop } = await startStillChain('base');
    const provider = new JsonRpcProvider(sandbox.rpcUrl, undefined, { staticNetwork: true, cacheTimeout: -1 });
    const token = new Contract(TOKENS['usdc-base'].contract.test, sandboxToken, provider);
    const read = (name: string, ...values: unknown[]) =>
      token.getFunction(name).staticCall(...values) as Promise<unknown>;
    try {
      expect(await Promise.all(['name', 'symbol', 'decimals'].map(name => read(name)))).toEqual([
        'Sandbox USDC',
        'USDC',
        6n,
      ]);
      const supply = await read('totalSupply');
      const payer = sandbox.accounts[4]?.address;
      const before = (await read('balanceOf', payer)) as bigint;
      expect(supply).toBe(before * BigInt(sandbox.accounts.length));
      await sandbox.sendToken({ tokenId: 'usdc-base', to: MERCHANT, baseUnits: 1_500_000n, fromIndex: 4 });
      await sandbox.mine(1);
      expect([await read('balanceOf', MERCHANT), await read('balanceOf', payer), await read('totalSupply')]).toEqual([
        1_500_000n, before - 1_500_000n, supply,
      ]); // prettier-ignore
    } finally {
      provider.destroy();
      await stop();
    }
  });

  test('transfers sent at once are all taken, in the order in which they were sent', async () => {
    const { sandbox, chain } = still;
    const sends = Array.from({ length: 5 }, (_, index) =>
      sandbox.sendToken({ tokenId: 'usdt-bnb', to: MERCHANT, baseUnits: BigInt(index + 1) }),
    );
    const hashes = await Promise.all(sends);
    await sandbox.mine(1);
    const { hash } = await chain.head();
    const { transfers: found } = await chain.transfersInBlock(hash, TOKENS['usdt-bnb'].contract.test, [MERCHANT]);
    expect(found.map(transfer => [transfer.txHash, transfer.valueBaseUnits])).toEqual(
      hashes.map((txHash, index) => [txHash, BigInt(index + 1)]),
    );
  });

  test('the deepest reorganisation leaves the tokens in place; a deeper one is refused', async () => {
    const { sandbox, chain } = still;
    const { number, hash } = await chain.head();
    await sandbox.reorg(30);
    await chain.check();
    expect((await chain.blockAt(number))?.hash).not.toBe(hash);
    await sandbox.mine(200);
    await sandbox.reorg(30);
    await expect(sandbox.reorg(31)).rejects.toThrow('31 blocks');
  });

  test('what cannot be sent is refused', async () => {
    const { sandbox } = still;
    const order = { tokenId: 'usdt-bnb', to: MERCHANT, baseUnits: 1n } as const;
    await expect(sandbox.sendToken({ ...order, tokenId: 'usdc-base' })).rejects.toMatchObject({
      code: 'unknown_token',
    });
    await expect(sandbox.sendToken({ ...order, to: '0x12' })).rejects.toMatchObject({
      code: 'invalid_address',
    });
    await expect(sandbox.sendToken({ ...order, fromIndex: 10 })).rejects.toThrow('no account 10');
  });
});
