import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock';
import { AMPLE_MS, EvmStage, refusalOf } from './evm-stage';
import { except, honest, rpcBlock, type Behaviour } from './scripted-provider';

/** Time for two inspections at the longest distance, after all shorter ones. */
const LONG_MS = 4 * HOUR_MS;

let stage: EvmStage;
/** The number of inspections that the strange provider still fails. */
let failing: number;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

const now = () => stage.clock.now() / SECOND_MS;
const live: Behaviour = (method, params, response) =>
  method === 'eth_chainId' ? { result: '0x38' } : honest(100, now())(method, params, response);
const strange = (method: string, answer: unknown): Behaviour =>
  except(method, (...asked) => (failing-- > 0 ? { result: answer } : live(...asked)), live);

const glitches: [string, string, string][] = [
  ['names another chain', 'eth_chainId', '0x1'],
  ['has no contract', 'eth_call', '0x'],
  ['has other decimals', 'eth_call', `0x${'6'.padStart(64, '0')}`],
];

async function chainOf(...behaviours: Behaviour[]) {
  const providers = await Promise.all(behaviours.map(behaviour => stage.provider(behaviour)));
  return { providers, chain: stage.chainOf(providers, AMPLE_MS, 'live') };
}

describe.each(glitches)('a provider that %s', (_name, method, answer) => {
  test('once, at the check, stops no start and is soon asked again', async () => {
    failing = 1;
    const { chain } = await chainOf(live, strange(method, answer));
    await chain.check();
    stage.clock.timeMs += MINUTE_MS;
    await chain.head();
    expect(await chain.agreedHash(50)).toBe(rpcBlock(50).hash);
  });

  test('once, at its first question, is soon asked again', async () => {
    failing = 1;
    const { chain } = await chainOf(live, strange(method, answer));
    await chain.head();
    expect(await chain.agreedHash(50)).toBeNull();
    stage.clock.timeMs += MINUTE_MS;
    await chain.head();
    expect(await chain.agreedHash(50)).toBe(rpcBlock(50).hash);
  });

  test('for hours is inspected less and less often, and asked for nothing else', async () => {
    failing = Infinity;
    const { chain, providers } = await chainOf(live, strange(method, answer));
    const inspectedAt: number[] = [];
    for (let passedMs = 0; passedMs < LONG_MS; passedMs += MINUTE_MS) {
      const before = providers[1]?.count(method);
      await chain.head();
      if (providers[1]?.count(method) !== before) inspectedAt.push(passedMs / MINUTE_MS);
      stage.clock.timeMs += MINUTE_MS;
    }
    expect(inspectedAt).toStrictEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
    expect(await chain.agreedHash(50)).toBeNull();
    expect(providers[1]?.asked.some(({ params: [block] }) => block === '0x32')).toBe(false);
  });

  test('alone, and is right later, is used then', async () => {
    failing = 2;
    const { chain } = await chainOf(strange(method, answer));
    await refusalOf(chain.check());
    for (let minutes = 0; failing > 0 && minutes < 5; minutes++) {
      stage.clock.timeMs += MINUTE_MS;
      await refusalOf(chain.head());
    }
    stage.clock.timeMs += 2 * MINUTE_MS;
    expect((await chain.head()).number).toBe(100);
  });
});

test.each(glitches.slice(1))('a check stops the start for a provider that %s when it is asked again', async (...glitch) => {
  failing = 2;
  const { chain } = await chainOf(live, strange(glitch[1], glitch[2]));
  expect((await refusalOf(chain.check())).code).toBe('invalid_token_config');
}); // prettier-ignore

test('a check stops the start where all name another chain', async () => {
  failing = Infinity;
  const other = strange('eth_chainId', '0x1');
  const { chain } = await chainOf(other, other);
  expect((await refusalOf(chain.check())).code).toBe('provider_network_mismatch');
});
