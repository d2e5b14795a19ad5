import type { Log } from '../../src/kernel/ports/log';
import { watchPolicy } from '../../src/vocabulary/watch-policy';
import { openNetworks } from '../../src/composition/networks';
import type { Networks } from '../../src/composition/ports';
import { loadConfig } from '../../src/platform/config/config';
import { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { SystemEntropy } from '../../src/platform/clock/system-entropy';
import { RecordingLog } from '../support/fixture-doubles';
import { except, honest, ScriptedProvider, type Behaviour } from '../platform/chains/scripted-provider';
import { exceptTron, honestTron, ScriptedTronNode } from '../platform/chains/scripted-tron-node';
import { silentLog, temporaryFolder } from '../sandbox/local-chain';

const LIMIT_MS = 30_000;
const clock = new SystemClock();
const entropy = new SystemEntropy();
const { folder, remove } = temporaryFolder();
const open: Networks[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(networks => networks.close()));
});
afterAll(async () => {
  await SandboxChain.stopFolder(folder, clock);
  remove();
});

async function opened(env: Readonly<Record<string, string>>, log: Log = silentLog): Promise<Networks> {
  const config = loadConfig({ DATA_FOLDER: folder, ...env });
  const networks = await openNetworks({ config, clock, entropy, log });
  open.push(networks);
  return networks;
}

test('without providers, test mode watches a local chain of every network, and live mode nothing', async () => {
  const { watched, close } = await opened({});
  expect(watched.map(({ mode, network, policy }) => [mode, network, policy])).toEqual([
    ['test', 'tron', watchPolicy('test', true)],
    ['test', 'bnb', watchPolicy('test', true)],
    ['test', 'base', watchPolicy('test', true)],
  ]);
  const [tron, bnb] = watched.map(({ chain }) => chain);
  expect((await tron?.head())?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect((await bnb?.head())?.hash).toMatch(/^0x[0-9a-f]{64}$/);
  const again = await opened({});
  expect(again.watched.map(({ instance }) => instance)).toEqual(watched.map(({ instance }) => instance));
  await close();
  await expect(tron?.head()).rejects.toMatchObject({ code: 'provider_unavailable' });
  await expect(again.watched[0]?.chain.head()).resolves.toBeDefined();
}, LIMIT_MS); // prettier-ignore

test('a full node of TRON is watched where one is configured', async () => {
  const node = await ScriptedTronNode.start(honestTron(70_000_000));
  const env = { MODES: 'test', SANDBOX_CHAINS: 'off', TRON_TEST_RPC_URLS: node.url, TRON_API_KEY: 'e7c3' };
  const { watched } = await opened(env);
  expect(watched).toMatchObject([{ network: 'tron', policy: watchPolicy('test', false), instance: '3448148188' }]);
  expect((await watched[0]?.chain.head())?.number).toBe(70_000_000);
  expect(node.asked.some(({ headers }) => 'tron-pro-api-key' in headers)).toBe(false);
  await node.stop();
});

test('one of another network than the mode’s stops the start', async () => {
  const node = await ScriptedTronNode.start(honestTron(70_000_000));
  const env = { MODES: 'live', TRON_LIVE_RPC_URLS: node.url };
  await expect(opened(env)).rejects.toMatchObject({ code: 'provider_network_mismatch' });
  await node.stop();
});

test('one that is away does not', async () => {
  const env = { MODES: 'live', TRON_LIVE_RPC_URLS: 'http://127.0.0.1:9' };
  await expect(opened(env)).resolves.toMatchObject({ watched: [{ network: 'tron', instance: '728126428' }] });
});

describe('providers of test mode', () => {
  const nodes: { readonly url: string; stop(): Promise<void> }[] = [];

  afterEach(() => Promise.all(nodes.splice(0).map(node => node.stop())));

  async function evm(behaviour: Behaviour): Promise<string> {
    const node = await ScriptedProvider.start(behaviour);
    nodes.push(node);
    return node.url;
  }

  const decimals = (count: number) => ({ result: `0x${count.toString(16).padStart(64, '0')}` });
  const base = except('eth_chainId', () => ({ result: '0x14a34' }));
  const only = (name: string, url: string) => ({
    MODES: 'test',
    SANDBOX_CHAINS: 'off',
    [`${name}_TEST_RPC_URLS`]: url,
  });

  test('that give a token other decimals stop the start, on each network', async () => {
    const tron = await ScriptedTronNode.start(exceptTron('eth_call', () => decimals(18)));
    nodes.push(tron);
    const bnb = await evm(except('eth_call', () => decimals(6)));
    const onBase = await evm(except('eth_call', () => decimals(18), base));
    for (const [name, url, param] of [['TRON', tron.url, 'usdt-tron'], ['BNB', bnb, 'usdt-bnb'], ['BASE', onBase, 'usdc-base']] as const)
      await expect(opened(only(name, url))).rejects.toMatchObject({ code: 'invalid_token_config', param });
  }); // prettier-ignore

  test('that say nothing that can be read do not', async () => {
    const babbling = await evm((_method, _params, response) => {
      response.end('<html>');
      return 'written';
    });
    const { watched } = await opened(only('BNB', babbling));
    await expect(watched[0]?.chain.head()).rejects.toMatchObject({ code: 'provider_response_invalid' });
  });

  test('that answer late are judged before they are believed, and nobody waits for them', async () => {
    let isLate = true;
    let answer: (() => void) | null = null;
    const wrong = except('eth_call', () => decimals(6));
    const late = await evm((method, params, response) => {
      if (!isLate) return wrong(method, params, response);
      answer = () => void response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...(wrong(method, params, response) as object) }));
      return 'written';
    });
    const log = new RecordingLog();
    const { watched } = await opened({ ...only('BNB', late), BASE_TEST_RPC_URLS: await evm(except('eth_call', () => decimals(6), base)) }, log);
    expect(watched.map(({ network }) => network)).toEqual(['bnb', 'base']);
    expect(log.said('provider does not answer at start')).toEqual([{ mode: 'test', network: 'bnb' }]);
    isLate = false;
    (answer as (() => void) | null)?.();
    await expect(watched[0]?.chain.head()).rejects.toMatchObject({ code: 'invalid_token_config' });
    await expect(watched[1]?.chain.head()).resolves.toMatchObject({ number: 100 });
  }, LIMIT_MS); // prettier-ignore

  test('that give it the declared ones are watched', async () => {
    const { watched } = await opened(only('BNB', await evm(honest(100))));
    await expect(watched[0]?.chain.head()).resolves.toMatchObject({ number: 100 });
  });
});

test.each([
  ['one', 'http://127.0.0.1:9', 1],
  ['two of one host', 'http://127.0.0.1:9/a,http://127.0.0.1:9/b', 1],
  ['two ports of one host', 'http://rpc.invalid:9,http://rpc.invalid:10', 1],
  ['two', 'http://127.0.0.1:9,http://127.0.0.2:9', 0],
])('in live mode, %s of a network is told for what it is', async (_, urls, warnings) => {
  const log = new RecordingLog();
  await opened({ MODES: 'live', BNB_LIVE_RPC_URLS: urls }, log);
  expect(log.lines.filter(({ message }) => message.startsWith('one chain provider alone'))).toHaveLength(warnings);
});
