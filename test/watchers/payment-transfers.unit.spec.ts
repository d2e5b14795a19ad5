import type { CommandContext } from '../../src/kernel/command-context';
import { fold } from '../../src/kernel/decider';
import { refuse } from '../../src/vocabulary/errors';
import type { MerchantClocks } from '../../src/kernel/merchant-clocks';
import type { Chain, Receipt } from '../../src/kernel/ports/chain';
import { watchPolicy } from '../../src/vocabulary/watch-policy';
import type { PaymentIntentCommand } from '../../src/modules/payment-intents/payment-intent.commands';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../src/modules/payment-intents/payment-intent.events';
import type { LedgerTransfer, QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import {
  transferId,
  transfers,
  transferStreamId,
  type TransferCommand,
} from '../../src/modules/transfers/transfer.decider';
import type { TransferEvent, TransferKey } from '../../src/modules/transfers/transfer.events';
import { TransferClaims } from '../../src/processes/matching/transfer-claims';
import { TransferCredit } from '../../src/processes/matching/transfer-credit';
import { TransferMatching } from '../../src/processes/matching/transfer-matching';
import type { ChainView } from '../../src/watchers/chain-view';
import { PaymentTransfers } from '../../src/watchers/payment-transfers';
import * as h from '../modules/payment-intents/histories';
import { RecordingLog } from '../support/payment-fixture';
import { stagedCommands, stagedWrites } from '../support/staged-writes';

const PAYMENT = { id: 'pi_1', merchantId: 'mch_1' };
const NOW = h.AFTER_EXPIRY;
const { tx_hash: TX_HASH, ordinal: ORDINAL, ...FACTS } = h.transfer('tr_1', '27000120');
const KEY: TransferKey = { network: 'base', txHash: TX_HASH, ordinal: ORDINAL };
const STREAM = transferStreamId(KEY);
const OTHER_HASH = `0x${'ef'.repeat(32)}`;
const REVERTED: Receipt = { succeeded: false, blockNumber: 100, blockHash: OTHER_HASH, transfers: [] };

const seenIn = (blockHash: string): TransferEvent => {
  const { transfer_id: _id, ...facts } = FACTS;
  return {
    type: 'TransferSeen',
    data: { ...facts, block_hash: blockHash, token_id: h.quote.token_id, to: h.quote.address },
  };
};
const claimedBy = (paymentIntent: string, blockHash = h.BLOCK_HASH): readonly TransferEvent[] => [
  seenIn(blockHash),
  { type: 'TransferClaimed', data: { payment_intent: paymentIntent, evidence: null } },
];
const resolvedBy = (paymentIntent: string): readonly TransferEvent[] => [
  seenIn(h.BLOCK_HASH),
  { type: 'TransferUnmatched', data: { reason: 'no_reservation', candidate: null } },
  { type: 'TransferResolved', data: { payment_intent: paymentIntent, note: 'theirs' } },
];
const unmatchedFrom = (candidate: string): TransferEvent => {
  return { type: 'TransferUnmatched', data: { reason: 'credit_refused', candidate } };
};
const reorgedOut: TransferEvent = { type: 'TransferReorgedOut', data: { block_hash: h.BLOCK_HASH } };
const detectedIn = (id: string, block: Partial<LedgerTransfer>): PaymentIntentEvent => ({
  type: 'TransferDetected',
  data: { ...h.transfer(id, '27000120'), ...block },
});

/**
 * The ledger over one payment's history and one transfer's; `news` holds the events that were recorded of each since.
 * Other payments take the transfers that they are given.
 */
function stage(payment: readonly PaymentIntentEvent[], transfer: readonly TransferEvent[] = claimedBy('pi_1')) {
  const world = {
    payment,
    transfer,
    failure: null as Error | null,
    contexts: [] as CommandContext[],
    commands: [] as string[],
    receipt: null as Receipt | null,
    agreedHashes: new Map<number, string>(),
    asked: [] as number[],
  };
  const stateNow = () => fold(paymentIntents, world.payment) as QuotedPaymentIntent;
  const execute = (
    { category }: { readonly category: string },
    id: string,
    command: PaymentIntentCommand | TransferCommand,
    context: CommandContext,
  ) => {
    world.commands.push(`${id} ${command.type}`);
    world.contexts.push(context);
    if (world.failure) return Promise.reject(world.failure);
    if (category === 'payment_intent' && id !== PAYMENT.id) return Promise.resolve({ events: [] });
    if (category === 'transfer') {
      const state = fold(transfers, world.transfer);
      const events = transfers.decide(command as TransferCommand, state, context);
      world.transfer = [...world.transfer, ...events];
      return Promise.resolve({ events });
    }
    const events = paymentIntents.decide(command as PaymentIntentCommand, stateNow(), context);
    world.payment = [...world.payment, ...events];
    return Promise.resolve({ events, state: stateNow() });
  };
  const load = ({ category }: { readonly category: string }) => {
    if (category === 'transfer')
      return Promise.resolve({ state: fold(transfers, world.transfer), revision: world.transfer.length - 1 });
    return Promise.resolve({ state: stateNow(), history: [{ metadata: { merchant_id: 'mch_1' } }] });
  };
  const merchantNow: MerchantClocks['merchantNow'] = (mode, merchantId) =>
    Promise.resolve(mode === 'live' && merchantId === 'mch_1' ? NOW : 0);
  const log = new RecordingLog();
  const clock = { now: () => 0, merchantNow } as unknown as MerchantClocks;
  const commands = stagedCommands({ execute, load }, { merchantNow });
  const chain = { receipt: () => Promise.resolve(world.receipt) } as unknown as Chain;
  const credits = new TransferCredit(commands, clock, log);
  const matching = new TransferMatching(stagedWrites({ execute, load }), clock, commands, credits, log, null);
  const watched = () => ({ chain, policy: watchPolicy('live', false) });
  const claims = new TransferClaims({
    commands,
    matching,
    credits,
    watched,
    isGaplessBelow: () => Promise.resolve(true),
  });
  const ledger = new PaymentTransfers({ mode: 'live', network: 'base', chain, commands, claims, clock, log });
  const agreedHash = (height: number) => {
    world.asked.push(height);
    return Promise.resolve(world.agreedHashes.get(height) ?? h.BLOCK_HASH);
  };
  const look = (): ChainView => {
    const hashAt = (height: number) => Promise.resolve(world.agreedHashes.get(height) ?? h.BLOCK_HASH);
    return { head: { number: 10_000 }, finalizedHeight: 10_000, hashAt, agreedHash } as unknown as ChainView;
  };
  const before = stateNow();
  const one = (id: string) => before.ledger.transfers[id] as LedgerTransfer;
  return {
    world,
    ledger,
    log,
    drop: (id = 'tr_1') => ledger.drop(PAYMENT, before, one(id), 'reorged_out'),
    giveUp: (id: string) => ledger.giveUp(PAYMENT, before, one(id)),
    stands: (id = 'tr_1') => ledger.stands(PAYMENT, before, one(id), look()),
    allStand: () => ledger.allStand(PAYMENT, before, look()),
    news: () => ({
      payment: world.payment.slice(payment.length),
      transfer: world.transfer.slice(transfer.length),
    }),
  };
}

describe('a payment', () => {
  it.each([
    ['that does not exist', h.HISTORIES.none, false],
    ['without a quote', h.HISTORIES.created, false],
    ['with a quote', h.HISTORIES.awaiting_payment, true],
  ])('is loaded where it has a quote: one %s', async (_name, history, isFound) => {
    const { ledger } = stage(history);
    expect(await ledger.load('pi_1')).toStrictEqual(isFound ? fold(paymentIntents, history) : null);
  });

  it('that moved on meanwhile is asked for nothing; every failure is told', async () => {
    const command = { type: 'see_confirmation', transferId: 'tr_1', headNumber: 101 } as const;
    const moved = stage(h.HISTORIES.underpaid);
    expect([await moved.ledger.execute(PAYMENT, command), moved.world.commands]).toStrictEqual([false, []]);
    const { world, ledger, news } = stage(h.HISTORIES.detected);
    for (const failure of [refuse('internal_error'), new Error('broken')]) {
      world.failure = failure;
      await expect(ledger.execute(PAYMENT, command)).rejects.toBe(failure);
    }
    world.failure = null;
    expect(await ledger.execute(PAYMENT, command)).toBe(true);
    expect(news().payment).toStrictEqual([h.confirmation]);
  });

  it('is written to by the watcher, for its merchant, at that merchant’s time', async () => {
    const { world, drop } = stage(h.HISTORIES.confirming);
    await drop();
    const context = { actor: { role: 'watcher' }, universe: 'live', merchantId: 'mch_1', now: NOW };
    expect(world.contexts).toMatchObject([context, context]);
  });

  it('that cannot be followed is told of, and holds up nobody', async () => {
    const { ledger, log } = stage(h.HISTORIES.detected);
    const failure = new Error('broken');
    expect(await ledger.safely(PAYMENT, () => Promise.reject(failure))).toBe(false);
    expect(log.lines).toStrictEqual([
      {
        level: 'error',
        facts: { payment_intent: 'pi_1', network: 'base', err: failure },
        message: 'payment could not be followed',
      },
    ]);
    const act = jest.fn(() => Promise.resolve());
    expect(await ledger.safely(PAYMENT, act)).toBe(true);
    expect([act.mock.calls.length, log.lines.length]).toStrictEqual([1, 1]);
  });
});

describe('a transfer that is gone', () => {
  const lost: PaymentIntentEvent = { type: 'SettledTransferLost', data: { transfer_id: 'tr_1' } };
  const failed: PaymentIntentEvent = {
    type: 'PaymentFailed',
    data: { transfer_id: 'tr_1', reason: 'reorged_out' },
  };

  it.each<[string, readonly PaymentIntentEvent[], string, PaymentIntentEvent, string]>([
    ['the only one of a payment', h.HISTORIES.confirming, 'tr_1', failed, 'warn'],
    ['one that counts in a payment short of its price', h.HISTORIES.underpaid, 'tr_1', h.dropped('tr_1'), 'warn'],
    ['one that settled a payment', h.HISTORIES.overpaid, 'tr_1', lost, 'error'],
    ['one on its way to a settled payment', h.HISTORIES.confirmed, 'tr_2', h.dropped('tr_2'), 'warn'],
  ])('is taken off the payment first, then off its claim: %s', async (_name, history, id, event, level) => {
    const { world, log, drop, news } = stage(history);
    await drop(id);
    expect(news()).toStrictEqual({ payment: [event], transfer: [reorgedOut] });
    expect(world.commands.map(command => command.split(' ')[0])).toStrictEqual(['pi_1', STREAM]);
    const facts = { payment_intent: 'pi_1', tx_hash: TX_HASH, reason: 'reorged_out' };
    expect(log.lines).toMatchObject([{ level, facts }]);
  });

  it('keeps its claim where the payment moved on meanwhile', async () => {
    const { world, drop } = stage(h.HISTORIES.confirming);
    world.payment = h.HISTORIES.overpaid;
    await drop();
    expect(world.commands).toStrictEqual([]);
  });

  it.each<[string, readonly PaymentIntentEvent[], PaymentIntentEvent]>([
    ['seen in another block', h.HISTORIES.confirming, detectedIn('tr_1', { block_hash: OTHER_HASH })],
    [
      'decided on',
      [...h.HISTORIES.confirming, h.screened(h.PAYER, 'clear'), h.depth('tr_1')],
      {
        type: 'PaymentConfirmed',
        data: { received_base_units: '27000120', received_minor_units: '2500', surplus_base_units: null },
      },
    ],
  ])('keeps its claim where it was %s meanwhile: it is the payment’s still', async (_name, history, since) => {
    const { world, drop, news } = stage(history);
    world.payment = [...world.payment, since];
    await drop();
    expect(world.commands).toStrictEqual(['pi_1 drop_transfer']);
    expect(news()).toStrictEqual({ payment: [since], transfer: [] });
  });

  it('keeps the claim that another payment has on it by now', async () => {
    const { drop, news } = stage(h.HISTORIES.underpaid, claimedBy('pi_2'));
    await drop();
    expect(news()).toMatchObject({ payment: [h.dropped('tr_1')], transfer: [] });
  });

  it('is credited as it is now where it has come back in another block, or goes to the queue', async () => {
    const id = transferId(KEY);
    const back = claimedBy('pi_1', OTHER_HASH);
    const taken = stage([h.created, h.selected, detectedIn(id, {}), h.detected('tr_2', '1')], back);
    await taken.drop(id);
    expect(taken.news()).toStrictEqual({
      payment: [h.dropped(id), detectedIn(id, { block_hash: OTHER_HASH })],
      transfer: [],
    });
    const refused = stage([h.created, h.selected, detectedIn(id, {})], back);
    await refused.drop(id);
    expect(refused.news()).toMatchObject({ payment: [{ type: 'PaymentFailed' }], transfer: [unmatchedFrom('pi_1')] });
  });
});

describe('a transfer that a payment cannot take any more', () => {
  const surplus: PaymentIntentEvent = { type: 'TransferDropped', data: { transfer_id: 'tr_2', reason: 'surplus' } };
  const rejected = [...h.HISTORIES.underpaid, h.detected('tr_2', '17000130'), h.held, h.rejected];

  it('goes to the queue with the payment as a candidate, then off the payment', async () => {
    const { world, giveUp, news } = stage(h.HISTORIES.confirmed);
    await giveUp('tr_2');
    expect(news()).toStrictEqual({ payment: [surplus], transfer: [unmatchedFrom('pi_1')] });
    expect(world.commands.at(-1)).toBe('pi_1 drop_transfer');
    const ids = world.contexts.map(({ commandId }) => commandId);
    expect(new Set(ids).size).toBe(ids.length);
    const context = { actor: { role: 'watcher' }, universe: 'live', merchantId: 'mch_1', now: NOW };
    expect(world.contexts).toMatchObject([context, context]);
  });

  it.each([
    ['payment_already_paid', h.HISTORIES.confirmed],
    ['payment_failed', h.HISTORIES.failed],
    ['compliance_hold', rejected],
    ['payment_not_resolvable', [...h.HISTORIES.underpaid, h.detected('tr_2', '17000130'), h.reviewRejected]],
  ] as const)('is told as %s to the administrator who gave it to the payment', async (refusal, history) => {
    const { giveUp, news } = stage(history, resolvedBy('pi_1'));
    await giveUp('tr_2');
    const failure: TransferEvent = { type: 'AttributionFailed', data: { payment_intent: 'pi_1', refusal } };
    expect(news()).toStrictEqual({ payment: [surplus], transfer: [failure] });
  });

  it.each([
    ['claimed by', claimedBy('pi_2')],
    ['given to', resolvedBy('pi_2')],
  ])('stays where it is when %s another payment since', async (_name, transfer) => {
    const { giveUp, news } = stage(h.HISTORIES.confirmed, transfer);
    await giveUp('tr_2');
    expect(news()).toStrictEqual({ payment: [surplus], transfer: [] });
  });

  it('stays on the payment’s list until the queue has it', async () => {
    const { world, giveUp } = stage(h.HISTORIES.confirmed);
    world.failure = new Error('broken');
    await expect(giveUp('tr_2')).rejects.toBe(world.failure);
    expect(world.commands).toStrictEqual([`${STREAM} unmatch`]);
  });
});

describe('what a payment has, held against the chain,', () => {
  it('stands in its block', async () => {
    const { world, stands } = stage(h.HISTORIES.confirming);
    expect(await stands()).toBe(true);
    expect(world.commands).toStrictEqual([]);
  });

  it('does not stand where it is missing, and stays on the payment', async () => {
    const { world, stands } = stage(h.HISTORIES.confirming);
    world.agreedHashes.set(100, OTHER_HASH);
    expect(await stands()).toBe(false);
    expect(world.commands).toStrictEqual([]);
  });

  it('is dropped, by what became of it, where that is final', async () => {
    const { world, stands, news } = stage(h.HISTORIES.confirming);
    world.agreedHashes.set(100, OTHER_HASH);
    world.receipt = REVERTED;
    expect(await stands()).toBe(false);
    expect(news()).toStrictEqual({
      payment: [{ type: 'PaymentFailed', data: { transfer_id: 'tr_1', reason: 'reverted' } }],
      transfer: [reorgedOut],
    });
  });

  const two = [
    ...h.HISTORIES.confirming,
    h.depth('tr_1'),
    detectedIn('tr_2', { block_number: 101 }),
    h.depth('tr_2'),
    detectedIn('tr_3', { block_number: 102 }),
  ];

  it('stands as a whole where enough providers agree on each that counts; the others are not asked about', async () => {
    const { world, allStand } = stage(two);
    world.agreedHashes.set(102, OTHER_HASH);
    expect(await allStand()).toBe(true);
    expect(world.asked).toStrictEqual([100, 101]);
    expect(world.commands).toStrictEqual([]);
  });

  it.each([100, 101])(
    'does not stand as a whole where block %i is another, and what is gone is dropped',
    async height => {
      const { world, allStand, news } = stage(two);
      world.agreedHashes.set(height, OTHER_HASH);
      expect(await allStand()).toBe(false);
      expect(world.commands).toStrictEqual([]);
      world.receipt = REVERTED;
      expect(await allStand()).toBe(false);
      expect(news().payment).toStrictEqual([
        { type: 'TransferDropped', data: { transfer_id: height === 100 ? 'tr_1' : 'tr_2', reason: 'reverted' } },
      ]);
    },
  );

  it('does not stand as a whole where one provider alone has it still', async () => {
    const { world, ledger } = stage(two);
    const view = {
      head: { number: 10_000 },
      hashAt: () => Promise.resolve(h.BLOCK_HASH),
      agreedHash: () => Promise.resolve(null),
    } as unknown as ChainView;
    const state = fold(paymentIntents, two) as QuotedPaymentIntent;
    expect(await ledger.allStand(PAYMENT, state, view)).toBe(false);
    expect(world.commands).toStrictEqual([]);
  });
});
