import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { TOKENS } from '../../src/vocabulary/tokens';
import { CrowdedNode } from '../platform/chains/crowded-block';
import { AMPLE_MS, EvmStage, status } from '../platform/chains/evm-stage';
import { rpcBlock, type Behaviour } from '../platform/chains/scripted-provider';
import { ADDRESS, PaymentFixture } from '../support/payment-fixture';

const PI = 'pi_00000000000000000000000001';
const START_S = 1_790_000_000;
const TEN_YEARS_S = 315_360_000;

let stage: EvmStage;
let fixture: PaymentFixture;
let watcher: NetworkWatcher;
let head: number;
let paid: CrowdedNode | null;
let isAway: boolean;
/** Until the second provider answers again, the first one lies about the times of blocks after this height. */
let aloneSince: number | null;

const timeAt = (height: number): number => START_S + height - 100;

function node(isLiar: boolean): Behaviour {
  const blockAt = (height: number) => {
    if (height > head) return null;
    const isLie = isLiar && aloneSince !== null && height > aloneSince;
    const block = rpcBlock(height, timeAt(height) + (isLie ? TEN_YEARS_S : 0));
    const isPaid = paid !== null && height === Number(paid.block.number);
    return isPaid ? { ...block, transactions: paid?.block.transactions } : block;
  };
  return (method, params, response) => {
    if (!isLiar && isAway) return status(503)(method, params, response);
    if (!isLiar) aloneSince = null;
    const [first] = params;
    switch (method) {
      case 'eth_chainId':
        return { result: '0x38' };
      case 'eth_call':
        return { result: `0x${(18).toString(16).padStart(64, '0')}` };
      case 'eth_getBlockByNumber':
        return { result: blockAt(first === 'latest' ? head : first === 'finalized' ? head - 2 : Number(first)) };
      case 'eth_getBlockByHash':
        return { result: blockAt(Number(first)) };
      case 'eth_getLogs':
        return { result: paid?.logs(params) ?? [] };
      case 'eth_getTransactionReceipt':
        return { result: paid?.receipts.find(({ transactionHash }) => transactionHash === first) ?? null };
      default:
        return { result: null };
    }
  };
}

beforeEach(async () => {
  [stage, head, paid, isAway, aloneSince] = [new EvmStage(), 100, null, false, null];
  const providers = [await stage.provider(node(true)), await stage.provider(node(false))];
  stage.clock.timeMs = START_S * 1_000;
  const chain = stage.chainOf(providers, AMPLE_MS, 'live');
  fixture = new PaymentFixture({ mode: 'live', network: 'bnb', chain, clock: stage.clock });
  watcher = await fixture.watcher();
  await tick();
});

afterEach(() => stage.stop());

/** A provider that has just failed, or answers again, may refuse a tick. */
const tick = () => watcher.tick().catch(() => undefined);

async function pass(blocks: number, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    head += blocks;
    stage.clock.timeMs += blocks * 1_000;
    await tick();
  }
}

/** The second provider answers again, and is asked once its rest is over. */
async function makeTwo(): Promise<void> {
  isAway = false;
  for (let round = 0; round < 60 && aloneSince !== null; round++) await pass(5);
  await pass(1, 4);
}

const coveredUntilMs = async () => Date.parse((await fixture.coverage())?.covered_until ?? '');

async function quoteEndMs(): Promise<number> {
  const state = await fixture.payment(PI);
  if (state.status !== 'awaiting_payment') throw new Error(`the payment is ${state.status}`);
  return Date.parse(state.quote.quote_expires_at);
}

test('block times that one provider alone has told move no deadline', async () => {
  await pass(10, 3);
  const due = await fixture.quoted(PI);
  await pass(10, 2);
  [isAway, aloneSince] = [true, head];
  await pass(10, 8);
  await makeTwo();
  expect(await coveredUntilMs()).toBeGreaterThan(timeAt(head - 60) * 1_000);
  expect(await coveredUntilMs()).toBeLessThanOrEqual(timeAt(head) * 1_000);
  const endMs = await quoteEndMs();
  await pass(Math.floor((endMs - stage.clock.timeMs) / 1_000) - 3);
  const contract = TOKENS['usdt-bnb'].contract.live;
  paid = new CrowdedNode({ height: head, contract, transactions: [{ transfers: [{ to: ADDRESS, value: due }] }] });
  stage.clock.timeMs = endMs + 500;
  await fixture.sweeper().sweep('quote');
  await pass(10, 6);
  expect((await fixture.payment(PI)).status).toBe('confirmed');
});

test('a transfer that one provider alone has told another time of is matched by the agreed one', async () => {
  await pass(10, 3);
  const due = await fixture.quoted(PI);
  await pass(10, 2);
  [isAway, aloneSince] = [true, head];
  await pass(10, 8);
  head += 1;
  stage.clock.timeMs += 1_000;
  const contract = TOKENS['usdt-bnb'].contract.live;
  paid = new CrowdedNode({ height: head, contract, transactions: [{ transfers: [{ to: ADDRESS, value: due }] }] });
  await tick();
  expect((await fixture.payment(PI)).status).toBe('awaiting_payment');
  await makeTwo();
  await pass(5, 10);
  expect((await fixture.payment(PI)).status).toBe('confirmed');
});
