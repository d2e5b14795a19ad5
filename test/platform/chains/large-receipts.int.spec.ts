import { TOKENS } from '../../../src/vocabulary/tokens';
import { PauseWanted } from '../../../src/platform/outbound/http-client';
import { CrowdedNode, crowdedTx } from './crowded-block';
import { EvmStage, refusalOf } from './evm-stage';
import type { Behaviour } from './scripted-provider';

const CONTRACT = TOKENS['usdt-bnb'].contract.test;
const MERCHANT = '0x000000000000000000000000000000000000bEEF';
const LIMIT_MS = 60_000;

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

describe('a transaction that somebody names', () => {
  const transfers = [{ to: MERCHANT, value: 5n }];
  const transactions = [{ transfers }, { junk: 73_100 }];
  const { block, behaviour } = new CrowdedNode({ height: 7, contract: CONTRACT, transactions });

  test('is read with its block', async () => {
    const chain = stage.chainOf([await stage.provider(behaviour)]);
    expect(await chain.lookUp(crowdedTx(0))).toMatchObject({
      kind: 'found',
      receipt: { succeeded: true, transfers: [{ to: MERCHANT, valueBaseUnits: 5n }] },
      block: { number: 7, hash: block.hash },
    });
    expect(await chain.lookUp(`0x${'ab'.repeat(32)}`)).toStrictEqual({ kind: 'unknown' });
  }, LIMIT_MS); // prettier-ignore

  test('is too large with 73,100 logs, while its watcher reads it whole', async () => {
    const chain = stage.chainOf([await stage.provider(behaviour)]);
    expect(await chain.lookUp(crowdedTx(1))).toStrictEqual({ kind: 'too_large' });
    expect(await chain.receipt(crowdedTx(1))).toMatchObject({ succeeded: true, transfers: [] });
    expect(await chain.lookUp(crowdedTx(0))).toMatchObject({ kind: 'found' });
  }, LIMIT_MS); // prettier-ignore

  /** A provider that answers 429 to every question for receipts, while `busy.now`. */
  const sometimesBusy = (busy: { now: boolean }): Behaviour => {
    return (method, params, response) => {
      if (!busy.now || method !== 'eth_getTransactionReceipt') return behaviour(method, params, response);
      response.writeHead(429).end();
      return 'written';
    };
  };

  test('leaves the provider at work for its watcher, where that has no time for it', async () => {
    const chain = stage.chainOf([await stage.provider(sometimesBusy({ now: true }))]);
    await chain.check();
    const refusal = await refusalOf(chain.lookUp(crowdedTx(0)));
    expect(refusal.code).toBe('provider_unavailable');
    expect(refusal.cause).toBeInstanceOf(PauseWanted);
    expect(await chain.blockAt(7)).toMatchObject({ hash: block.hash });
  }, LIMIT_MS); // prettier-ignore

  test('is not asked for while the provider rests for its watcher', async () => {
    const busy = { now: true };
    const provider = await stage.provider(sometimesBusy(busy));
    const chain = stage.chainOf([provider]);
    await refusalOf(chain.receipt(crowdedTx(0)));
    busy.now = false;
    const before = provider.count('eth_getTransactionReceipt');
    expect((await refusalOf(chain.lookUp(crowdedTx(0)))).message).toContain('rests');
    expect(provider.count('eth_getTransactionReceipt')).toBe(before);
    stage.clock.timeMs += 60_000;
    expect(await chain.lookUp(crowdedTx(0))).toMatchObject({ kind: 'found' });
  }, LIMIT_MS); // prettier-ignore
});
