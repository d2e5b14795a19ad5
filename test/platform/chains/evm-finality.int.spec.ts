import { SECOND_MS } from '../../../src/kernel/clock';
import { AMPLE_MS, EvmStage, refusalOf, status } from './evm-stage';
import { except, honest, rpcBlock, type Behaviour } from './scripted-provider';

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

const live = (behaviour: Behaviour = honest(100)): Behaviour =>
  except('eth_chainId', () => ({ result: '0x38' }), behaviour);
const finalAt = (height: number): Behaviour =>
  live((method, params, response) =>
    method === 'eth_getBlockByNumber' && params[0] === 'finalized'
      ? { result: rpcBlock(height) }
      : honest(100)(method, params, response),
  );

async function chainOf(...behaviours: Behaviour[]) {
  const providers = await Promise.all(behaviours.map(behaviour => stage.provider(behaviour)));
  const asked = () => providers.map(one => one.asked.filter(({ params: [tag] }) => tag === 'finalized').length);
  return { chain: stage.chainOf(providers, AMPLE_MS, 'live'), asked };
}

/** A pool with a stranger at this place among two honest ones. */
const amongTwo = (stranger: Behaviour, place: number): Behaviour[] =>
  [0, 1, 2].map(each => (each === place ? stranger : live()));

describe.each([0, 1, 2])('of three providers, at place %s', place => {
  test('one that stands still holds nothing up', async () => {
    const { chain } = await chainOf(...amongTwo(finalAt(5), place));
    for (let n = 0; n < 3; n++) {
      stage.clock.timeMs += 30 * SECOND_MS;
      expect(await chain.finalizedHeight()).toBe(98);
    }
  });

  test('one that calls all blocks final counts for nothing', async () => {
    const { chain } = await chainOf(...amongTwo(finalAt(1_000_000), place));
    expect(await chain.finalizedHeight()).toBe(98);
  });

  test('one that fails leaves the word to the others', async () => {
    const { chain } = await chainOf(...amongTwo(status(503), place));
    expect(await chain.finalizedHeight()).toBe(98);
  });
});

test('the third one is asked only where the first two lie far apart', async () => {
  const near = await chainOf(live(), finalAt(78), live());
  expect(await near.chain.finalizedHeight()).toBe(78);
  expect(near.asked()).toStrictEqual([1, 1, 0]);
  const far = await chainOf(live(), finalAt(77), live());
  expect(await far.chain.finalizedHeight()).toBe(98);
  expect(far.asked()).toStrictEqual([1, 1, 1]);
});

test('of two providers the lower word counts, and one alone makes nothing final', async () => {
  const { chain } = await chainOf(finalAt(1_000_000), finalAt(5));
  expect(await chain.finalizedHeight()).toBe(5);
  const alone = await chainOf(finalAt(1_000_000), status(503));
  expect((await refusalOf(alone.chain.finalizedHeight())).code).toBe('provider_unavailable');
});
