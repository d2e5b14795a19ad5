import type { ScreenedTransfer } from '../../../src/kernel/ports/screening';
import { watchPolicy } from '../../../src/vocabulary/watch-policy';
import { EvmChain } from '../../../src/platform/chains/evm/evm-chain';
import { SystemClock } from '../../../src/platform/clock/system-clock';
import { loadConfig } from '../../../src/platform/config/config';
import { createLogger } from '../../../src/platform/logging/logger';
import { openScreening } from '../../../src/composition/screening';
import { ScriptedProvider } from '../chains/scripted-provider';
import { answerWith, AnsweringServer } from '../rates/answering-server';

const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const onBase: ScreenedTransfer = { mode: 'live', network: 'base', payer: PAYER, recipient: RECIPIENT };
const clock = new SystemClock();
const log = createLogger({ level: 'silent' });
const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;

let api: AnsweringServer;
let base: ScriptedProvider;
/** The answer of a contract to a function, by its selector. */
let flags: Readonly<Record<string, string>>;

beforeEach(async () => {
  flags = { '0xdf592f7d': word(0), '0xfe575a87': word(0), '0x313ce567': word(6) };
  api = await AnsweringServer.start();
  api.answer = answerWith('{"identifications":[]}');
  base = await ScriptedProvider.start((method, [call]) => {
    if (method === 'eth_chainId') return { result: '0x2105' };
    if (method === 'eth_getCode') return { result: '0x60' };
    const selector = ((call as { data?: string } | undefined)?.data ?? '').slice(0, 10);
    return { result: flags[selector] ?? null };
  });
});

afterEach(async () => {
  await api.stop();
  await base.stop();
});

function open(env: Readonly<Record<string, string>>) {
  const config = loadConfig({ CHAINALYSIS_URL: api.url, CHAINALYSIS_API_KEY: 'key-1', ...env });
  const chain = new EvmChain({ network: 'base', mode: 'live', urls: [base.url] });
  const policy = watchPolicy('live', false);
  const watched = { mode: 'live', network: 'base', chain, contracts: chain, instance: '8453', policy } as const;
  return openScreening({ config, clock, log }, [watched]);
}

test('live payers are screened by the list, the oracle and the issuer unless told otherwise', async () => {
  const screening = await open({});
  expect(await screening.screen(onBase)).toEqual({
    verdict: 'clear',
    source: 'local-sanctions-list+sanctions-oracle+issuer-freeze',
    reference: null,
  });
  expect(api.requests).toEqual([]);
});

test('test payers by the list alone', async () => {
  const screening = await open({});
  const verdict = await screening.screen({ ...onBase, mode: 'test' });
  expect(verdict).toEqual({ verdict: 'clear', source: 'local-sanctions-list', reference: null });
  expect(base.asked).toEqual([]);
  const listed = { ...onBase, mode: 'test', payer: '0x5a9C710ed0000000000000000000000000000001' } as const;
  expect(await screening.screen(listed)).toMatchObject({ verdict: 'high_risk', source: 'test-entry' });
});

test.each([
  ['the API', 'chainalysis', () => (api.answer = answerWith('{"identifications":[{"category":"sanctions"}]}')), 'chainalysis'],
  ['the oracle', 'oracle', () => (flags = { ...flags, '0xdf592f7d': word(1) }), 'sanctions-oracle'],
  ['the issuer', 'issuer', () => (flags = { ...flags, '0xfe575a87': word(1) }), 'issuer-freeze'],
])('%s alone can find a high risk', async (_, name, find, source) => {
  find();
  const screening = await open({ LIVE_SCREENING: name });
  expect(await screening.screen(onBase)).toMatchObject({ verdict: 'high_risk', source });
}); // prettier-ignore

test.each([
  ['the API', 'chainalysis', () => (api.answer = answerWith('{}', 503))],
  ['the oracle', 'oracle', () => (flags = { ...flags, '0xdf592f7d': '0x' })],
  ['the issuer', 'issuer', () => (flags = { ...flags, '0xfe575a87': '0x' })],
])('where %s gives no answer nobody is cleared', async (_, name, fail) => {
  fail();
  const screening = await open({ LIVE_SCREENING: name });
  await expect(screening.screen(onBase)).rejects.toMatchObject({ code: 'screening_timeout' });
});

test('a network that nobody watches clears nobody', async () => {
  const screening = await open({ TEST_SCREENING: 'issuer' });
  await expect(screening.screen({ ...onBase, mode: 'test' })).rejects.toMatchObject({ code: 'screening_timeout' });
});

test('who was cleared is not asked for again, and is still looked up in the list', async () => {
  const screening = await open({ LIVE_SCREENING: 'chainalysis' });
  await screening.screen(onBase);
  api.answer = answerWith('{}', 503);
  expect(await screening.screen(onBase)).toMatchObject({ verdict: 'clear' });
  expect(api.requests).toHaveLength(1);
});
