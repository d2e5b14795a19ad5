import type { MerchantContext } from '../../../src/kernel/command-context';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { DetectedTransfer } from '../../../src/modules/payment-intents/payment-intent.events';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { transferId, transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import { PAYER } from '../../support/payment-fixture';
import { DyingStore } from './dying-store';
import { InterruptedStore } from './interrupted-store';
import { DEPTH, hash, MatchingFixture, pi } from './matching-fixture';

const [Q, R] = [1, 2];
const COUNTS: readonly string[] = ['DepthReached', 'RemainderCredited', 'PaidLate'];

let fixture: MatchingFixture;
let value: bigint;

async function start(options: ConstructorParameters<typeof MatchingFixture>[0] = {}): Promise<void> {
  fixture = await new MatchingFixture(options).start();
  value = (await fixture.payments.quoted(pi(Q))) - 50n * fixture.cent;
  await fixture.payments.quoted(pi(R));
}

/** Names the transaction for a payment; the answer is one word. */
async function named(number: number): Promise<string> {
  return fixture.name(pi(number), hash(1)).then(
    ({ kind }) => kind,
    (error: { readonly code: string }) => error.code,
  );
}

/** The payments for which the transaction counts. */
async function counting(): Promise<readonly number[]> {
  const found: number[] = [];
  for (const number of [Q, R]) {
    const state = (await fixture.payments.payment(pi(number))) as QuotedPaymentIntent;
    const ids = Object.values(state.ledger.transfers).filter(({ final }) => final);
    if (ids.some(({ tx_hash }) => tx_hash === hash(1))) found.push(number);
  }
  return found;
}

/** The transaction's transfer, as the payment saw it. */
async function heldBy(number: number): Promise<DetectedTransfer> {
  const seen = (await fixture.payments.events(pi(number))).findLast(({ type, data }) => {
    return type === 'TransferDetected' && data.tx_hash === hash(1);
  });
  if (seen?.type !== 'TransferDetected') throw new Error('not credited');
  return seen.data;
}

function watching(): MerchantContext {
  return { ...fixture.payments.context(), actor: { role: 'watcher', type: 'system', id: 'watcher' } };
}

/** The number of times that it was counted for either payment, at any time. */
async function counts(): Promise<number> {
  const events = [...(await fixture.payments.events(pi(Q))), ...(await fixture.payments.events(pi(R)))];
  const id = transferId({ network: 'base', txHash: hash(1), ordinal: 0 });
  return events.filter(
    ({ type, data }) => COUNTS.includes(type) && (data as { transfer_id?: string }).transfer_id === id,
  ).length;
}

async function claimant(): Promise<string | null> {
  const key = { network: 'base', txHash: hash(1), ordinal: 0 } as const;
  const { state } = await fixture.payments.writes.load(transfers, 'test', transferStreamId(key));
  return state.status === 'none' ? null : state.claim;
}

/** The tip is another block for a moment, in which the same log has another value. */
async function flip(): Promise<void> {
  const { chain, clock, transfer } = fixture.payments;
  const back = chain.branch();
  chain.reorganise(1, [transfer.call(fixture.payments, hash(1), value + fixture.cent)]);
  clock.timeMs += 1_000;
  await fixture.settle();
  back();
  chain.mineEmpty(1);
  clock.timeMs += 1_000;
  await fixture.settle();
}

describe('a transfer whose block is replaced, by one in which it has another value, and comes back', () => {
  it('counts for the payment that it was named for, and is not to be had for another one', async () => {
    await start();
    await fixture.pay(1, value);
    expect(await named(Q)).toBe('attributed');
    await flip();
    expect(await named(R)).toBe('attribution_already_exists');
    await fixture.confirm();
    expect(await named(R)).toBe('attribution_already_exists');
    await fixture.confirm();
    expect(await counting()).toStrictEqual([Q]);
    expect(await counts()).toBe(1);
  });

  it('counts once where that happens between the look at it and its count, as another process watches too', async () => {
    const store = new InterruptedStore();
    await start({ store });
    await fixture.pay(1, value);
    expect(await named(Q)).toBe('attributed');
    const slow = fixture.watcher;
    const quick = await fixture.payments.watcher();
    await quick.tick();
    fixture.payments.mineEmpty(DEPTH);
    let answer = '';
    store.meanwhile = {
      type: 'DepthReached',
      act: async () => {
        fixture.watcher = quick;
        const { chain } = fixture.payments;
        // The slower watcher finds out that the other one has covered blocks that it has not.
        await quick.tick().catch(() => undefined);
        const back = chain.branch();
        chain.reorganise(DEPTH + 1, [fixture.payments.transfer(hash(1), value + fixture.cent)], DEPTH);
        await fixture.settle();
        back();
        chain.mineEmpty(1);
        await fixture.settle();
        answer = await named(R);
      },
    };
    await slow?.tick().catch(() => undefined);
    expect(store.meanwhile).toBeNull();
    await fixture.confirm();
    await fixture.confirm();
    expect(await counting()).toStrictEqual([Q]);
    expect(await counts()).toBe(1);
    expect(answer).toBe('attribution_already_exists');
  });
});

describe('a count that another process is about to make', () => {
  it('is not made where the payment lost the transfer, and was given it again, since its commitment', async () => {
    const store = new InterruptedStore();
    await start({ store });
    await fixture.pay(1, value);
    await named(Q);
    await fixture.pay(2, 30n * fixture.cent);
    await fixture.name(pi(Q), hash(2));
    const { writes } = fixture.payments;
    const transfer = await heldBy(Q);
    const key = transferStreamId({ network: 'base', txHash: hash(1), ordinal: 0 });
    store.meanwhile = {
      type: 'DepthReached',
      act: async () => {
        const { transfer_id: transferId, block_hash: blockHash } = transfer;
        const reason = 'reorged_out';
        await writes.execute(
          paymentIntents,
          pi(Q),
          { type: 'drop_transfer', transferId, blockHash, reason },
          watching(),
        );
        const { state } = await writes.load(transfers, 'test', key);
        if (state.status === 'none') throw new Error('not seen');
        // A third process credits by the claim as it was; then the claim ends, as the payment was read before that.
        await writes.execute(paymentIntents, pi(Q), { type: 'see_transfer', transfer }, watching());
        await writes.execute(transfers, key, { type: 'unmatch', paymentIntent: pi(Q), isDropped: true }, watching());
        await writes.execute(transfers, key, { type: 'claim', paymentIntent: pi(R), seen: state.seen }, watching());
      },
    };
    await fixture.confirm();
    expect(store.meanwhile).toBeNull();
    for (let tick = 0; tick < 2; tick++) await fixture.confirm();
    expect(await counting()).toStrictEqual([R]);
    expect(await counts()).toBe(1);
  });

  it('is withdrawn where the claim is another payment’s', async () => {
    await start();
    await fixture.pay(2, 30n * fixture.cent);
    await fixture.name(pi(Q), hash(2));
    await fixture.pay(1, value);
    await named(R);
    const transfer = await heldBy(R);
    await fixture.payments.writes.execute(paymentIntents, pi(Q), { type: 'see_transfer', transfer }, watching());
    await fixture.confirm();
    await fixture.confirm();
    expect(await counting()).toStrictEqual([R]);
    const dropped = (await fixture.payments.events(pi(Q))).filter(({ type }) => type === 'TransferDropped');
    expect(dropped.map(({ data }) => data)).toStrictEqual([
      { transfer_id: transfer.transfer_id, reason: 'verification_failed' },
    ]);
  });
});

describe('a process that dies', () => {
  let store: DyingStore;

  /** The process does no more until it is revived; then its unfinished work is finished. */
  async function dieAt(type: string, doing: () => Promise<unknown>): Promise<void> {
    store.diesAt = type;
    await doing().catch(() => undefined);
    expect(store.isDead).toBe(true);
    store.diesAt = null;
    store.revive();
    fixture.watcher = await fixture.payments.watcher();
  }

  beforeEach(async () => {
    store = new DyingStore();
    await start({ store });
    await fixture.pay(1, value);
    await named(Q);
  });

  it('between the commitment and the count leaves both to the next one', async () => {
    fixture.payments.mineEmpty(DEPTH + 1);
    await dieAt('TransferCommitted', () => Promise.resolve(fixture.watcher?.tick()));
    expect(await counts()).toBe(0);
    await fixture.confirm();
    await fixture.confirm();
    expect(await counting()).toStrictEqual([Q]);
    expect(await fixture.transferEvents(1)).toStrictEqual([
      'TransferSeen',
      'TransferUnmatched',
      'CandidatesRanked',
      'TransferClaimed',
      'TransferCommitted',
    ]);
  });

  it('between the commitment and the count, after which the payment takes no more, leaves it to the queue', async () => {
    await fixture.pay(2, 30n * fixture.cent);
    await fixture.name(pi(Q), hash(2));
    fixture.payments.mineEmpty(DEPTH - 1);
    await dieAt('TransferCommitted', () => Promise.resolve(fixture.watcher?.tick()));
    const compliance = { role: 'compliance', type: 'admin', id: 'adm_1' } as const;
    const rejection = { type: 'reject_hold', reason: 'a match', proposedBy: 'adm_1', approvedBy: 'adm_2' } as const;
    for (const command of [
      { type: 'place_hold', payer: PAYER, source: 'administrator', reason: 'listed' } as const,
      rejection,
    ]) {
      const context = { ...fixture.payments.context(), actor: compliance };
      await fixture.payments.writes.execute(paymentIntents, pi(Q), command, context);
    }
    expect(await fixture.status(Q)).toBe('failed');
    await dieAt('TransferDropped', () => fixture.confirm());
    await fixture.handleAll();
    await fixture.confirm();
    const types = await fixture.transferEvents(1);
    expect(types.slice(-3)).toStrictEqual(['TransferCommitted', 'TransferUnmatched', 'CandidatesRanked']);
    expect(await counting()).toStrictEqual([]);
  });

  it('between the loss of what stands with another value and the end of its claim leaves that to the queue', async () => {
    await fixture.pay(2, 30n * fixture.cent);
    await fixture.name(pi(Q), hash(2));
    await fixture.confirm();
    expect(await fixture.status(Q)).toBe('underpaid');
    const { chain } = fixture.payments;
    const dearer = fixture.payments.transfer(hash(1), value + fixture.cent);
    chain.reorganise(chain.height - 20, [dearer, fixture.payments.transfer(hash(2), 30n * fixture.cent)], 1);
    await dieAt('TransferDropped', async () => {
      for (let tick = 0; tick < 4; tick++) {
        fixture.payments.mineEmpty(DEPTH);
        await fixture.watcher?.tick();
      }
    });
    await fixture.handleAll();
    expect(await claimant()).toBeNull();
    expect((await fixture.transferEvents(1)).at(-1)).toBe('CandidatesRanked');
    expect(await named(R)).toBe('attributed');
    await fixture.confirm();
    await fixture.confirm();
    expect(await counting()).toStrictEqual([R]);
  });
});

describe('a transfer that counts and moves', () => {
  /** The transfer's block and all after it go; the transfer comes back a block later. */
  async function move(): Promise<void> {
    const { chain, transfer } = fixture.payments;
    chain.reorganise(chain.height - 20, [transfer.call(fixture.payments, hash(1), value)], 1);
    await fixture.settle();
    await fixture.confirm();
  }

  const commitments = async () => (await fixture.transferEvents(1)).filter(type => type === 'TransferCommitted');

  it('is committed anew where it counts anew', async () => {
    await start();
    fixture.payments.verdicts.set(PAYER, 'silent');
    await fixture.pay(1, value);
    await named(Q);
    await fixture.confirm();
    expect((await fixture.payments.eventTypes(pi(Q))).at(-1)).toBe('DepthReached');
    await move();
    expect(await commitments()).toHaveLength(2);
    expect(await counting()).toStrictEqual([Q]);
  });

  it('is committed no more where its payment is settled', async () => {
    await start();
    await fixture.pay(1, value);
    await named(Q);
    await fixture.confirm();
    expect(await fixture.status(Q)).toBe('underpaid');
    await move();
    expect((await fixture.payments.eventTypes(pi(Q))).at(-1)).toBe('TransferMoved');
    expect(await commitments()).toHaveLength(1);
    expect(await counting()).toStrictEqual([Q]);
  });
});
