import { openNetworks, type Networks } from '../src/networks';
import { loadConfig } from '../src/platform/config/config';
import { SandboxChain } from '../src/platform/chains/sandbox/sandbox-chain';
import { SystemClock } from '../src/platform/clock/system-clock';
import { honestTron, ScriptedTronNode } from './platform/chains/scripted-tron-node';
import { silentLog, temporaryFolder } from './platform/chains/local-chain';

const LIMIT_MS = 30_000;
const clock = new SystemClock();
const { folder, remove } = temporaryFolder();
const open: Networks[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(networks => networks.close()));
});
afterAll(async () => {
  await SandboxChain.stopFolder(folder, clock);
  remove();
});

async function opened(env: Readonly<Record<string, string>>): Promise<Networks> {
  const config = loadConfig({ DATA_FOLDER: folder, ...env });
  const networks = await openNetworks({ config, clock, log: silentLog });
  open.push(networks);
  return networks;
}

test('without providers, test mode watches a local chain of every network, and live mode nothing', async () => {
  const { watched, close } = await opened({});
  expect(watched.map(({ mode, network, sandbox }) => [mode, network, sandbox])).toEqual([
    ['test', 'tron', true],
    ['test', 'bnb', true],
    ['test', 'base', true],
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
  expect(watched).toMatchObject([{ network: 'tron', sandbox: false, instance: '3448148188' }]);
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
