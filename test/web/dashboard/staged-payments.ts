import { timedId } from '../../../src/vocabulary/ids';
import type { PaymentIntentEvent, Quote } from '../../../src/modules/payment-intents/payment-intent.events';
import type { Status } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import type { TransferEvent } from '../../../src/modules/transfers/transfer.events';
import type { InferenceEvidence } from '../../../src/modules/transfers/inference-facts';
import * as h from '../../modules/payment-intents/histories';
import { tellEvents } from '../../support/tell-events';
import { seeTransfer, sendTransfer } from '../../support/unmatched-transfer';
import type { DashboardStage } from '../dashboard-stage';

const OBSERVED = { family: 'kraken', asset: 'USDC', currency: 'EUR', rate: '1.08' } as const;
const OBSERVATIONS = ['kraken', 'bitstamp'].map(source => ({
  ...{ source, ...OBSERVED },
  observed_at: '2026-11-01T11:59:58.000Z',
}));

const DEPTH = 12;
/** 26.00 USDC came for 27.000120. */
export const GROUNDS: InferenceEvidence = {
  ...{ refusal: null, address: h.quote.address, payment_intent: null, due_base_units: '27000120' },
  ...{ value_base_units: '26000000', distance_base_units: '1000120', quoted_at: '2026-11-01T12:00:00.000Z' },
  ...{ quote_expires_at: h.EXPIRES_AT, block_time: '2026-11-01T12:05:00.000Z', clock_ahead_ms: 0 },
  ...{ block_hash: h.BLOCK_HASH, is_dedicated: false, index_position: '7', last_day_count: 2, last_month_count: 9 },
  others: [],
};

let told = 0;

/** A payment of the owner in that status, as its history tells it; the read models follow. */
export async function stagedPayment(
  dashboard: DashboardStage,
  status: Status,
  more: readonly PaymentIntentEvent[] = [],
): Promise<string> {
  const { stage, merchant } = dashboard;
  const atMs = stage.clock.now();
  const id = timedId('pi', atMs, Buffer.alloc(10, (told += 1)));
  const block = blockOf(dashboard);
  const events = [...h.HISTORIES[status], ...more].map(event => inBlock(event, block));
  await tellEvents(stage.core.store, `test.payment_intent-${id}`, events, { merchant: merchant.id, atMs });
  await stage.project();
  return id;
}

/** A payment that an inferred transfer waits for, with the grounds of the inference. */
export async function inferredPayment(dashboard: DashboardStage): Promise<string> {
  const id = await stagedPayment(dashboard, 'awaiting_payment', [
    h.inferred('tr_1', '26000000'),
    h.confirmation,
    h.screened(h.PAYER, 'clear'),
    h.depth('tr_1'),
    {
      type: 'PaymentUnderpaid',
      data: { received_base_units: '26000000', received_minor_units: '2407', remainder: null },
    },
  ]);
  const { tx_hash, ordinal, from, value_base_units, block_number, block_hash, block_time } = h.transfer('', '26000000');
  const seen = {
    token_id: 'usdc-base',
    from,
    to: h.quote.address,
    value_base_units,
    block_number,
    block_hash,
    block_time,
  };
  const events = [
    { type: 'TransferSeen', data: seen },
    { type: 'TransferClaimed', data: { payment_intent: id, evidence: { ...GROUNDS, payment_intent: id } } },
  ];
  const { stage, merchant } = dashboard;
  const facts = { merchant: merchant.id, atMs: stage.clock.now() };
  await tellEvents(stage.core.store, `test.transfer-base:${tx_hash}:${ordinal}`, events, facts);
  return id;
}

type Quoted = { readonly id: string; readonly due: bigint };

/** A payment of the owner that waits for its amount on that wallet; the read models follow. */
export async function quotedPayment({ merchant, stage }: DashboardStage, wallet: string): Promise<Quoted> {
  const { id } = await merchant.createIntent({ metadata: { order: '1042' } });
  const body = { token_id: 'usdc-base', wallet_id: wallet };
  const { payment_method } = await merchant.done(`POST /v1/payment_intents/${id}/select_method`, { body });
  await stage.project();
  return { id: String(id), due: BigInt(payment_method.token_amount_base_units) };
}

/** A transfer to the owner's wallet that fits no payment; the read models follow. */
export async function stagedTransfer({ instance, merchant, stage }: DashboardStage, value = 26_000_000n) {
  const txHash = sendTransfer(instance, merchant.owner.address, value);
  const id = await seeTransfer(instance, txHash);
  await stage.project();
  return { id, txHash };
}

/** Has the payment ranked as the transfer's candidate, as matching does; the read models follow. */
export async function rankedAs({ merchant, stage }: DashboardStage, txHash: string, payment_intent: string) {
  const stream = `test.transfer-${transferStreamId({ network: 'base', txHash, ordinal: 0 })}`;
  const paid = { code: 'after_quote', by_ms: 60_000 } as const;
  const amount = { code: 'short', off_base_units: '300000' } as const;
  const evidence = { amount, is_of_remainder: false, paid, sender: null, standing: null };
  const candidate = { payment_intent, merchant_id: merchant.id, evidence, distance_base_units: '300000' };
  const ranked: TransferEvent = { type: 'CandidatesRanked', data: { candidates: [candidate] } };
  await tellEvents(stage.core.store, stream, [ranked], { merchant: merchant.id, atMs: stage.clock.now() });
  await stage.project();
}

/** A transfer that one payment of the owner may explain. Answers the path of its page, behind the mode. */
export async function rankedTransfer(dashboard: DashboardStage, wallet: string): Promise<string> {
  const { id: payment } = await quotedPayment(dashboard, wallet);
  // Each run reserves another amount, and pictures of the page have to be the same.
  const { id, txHash } = await stagedTransfer(dashboard, 26_700_000n);
  await rankedAs(dashboard, txHash, payment);
  return `transfers/${id}`;
}

type Block = { readonly block_number: number; readonly block_hash: string };

/** A block that stands on the stage's chain: a person's decision has the chain asked. */
function blockOf({ instance: { chain } }: DashboardStage): Block {
  const { number, hash } = chain.mine();
  return { block_number: number, block_hash: hash };
}

function inBlock(event: PaymentIntentEvent, block: Block): PaymentIntentEvent {
  if (event.type === 'TransferDetected') return { ...event, data: { ...event.data, ...block } };
  if (event.type === 'ConfirmationSeen')
    return { ...event, data: { ...event.data, head_number: block.block_number + 1 } };
  if (event.type === 'DepthReached') {
    const { block_number, block_hash } = block;
    return { ...event, data: { ...event.data, head_number: block_number + DEPTH, block_hash } };
  }
  if (event.type !== 'MethodSelected') return event;
  const quote: Quote = { ...event.data, observations: OBSERVATIONS };
  return { ...event, data: quote };
}
