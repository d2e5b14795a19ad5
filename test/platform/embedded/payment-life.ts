import { randomBytes, randomUUID } from 'node:crypto';
import type { EventMetadata, NewEvent } from '../../../src/kernel/event';
import { timedId, type IdPrefix } from '../../../src/vocabulary/ids';
import type { JsonObject } from '../../../src/vocabulary/json';
import { metadata } from '../../contracts/contract-support';

export type StreamOfLife = { readonly stream: string; readonly events: readonly NewEvent[] };

const STARTED_MS = 1_793_534_400_000;
const newId = (prefix: IdPrefix): string => timedId(prefix, STARTED_MS, randomBytes(10));
const MERCHANT = newId('mch');
const ACTORS = {
  api: { role: 'api', type: 'api_key', id: newId('key') },
  watcher: { role: 'watcher', type: 'system', id: 'watcher' },
} as const;

/**
 * Twenty events in eight streams, as one payment with three webhooks leaves them, with ids, hashes and texts of their
 * real lengths.
 */
export function paymentLife(): readonly StreamOfLife[] {
  const [pi, wallet, endpoint] = [newId('pi'), newId('wal'), newId('we')];
  const [txHash, blockHash] = [`0x${randomBytes(32).toString('hex')}`, `0x${randomBytes(32).toString('hex')}`];
  const address = `0x${randomBytes(20).toString('hex')}`;
  const at = new Date(STARTED_MS).toISOString();
  const slot = `base:${address}:usdc-base:2718281`;
  const transfer = `base:${txHash}:0`;
  const due = '27182810';
  return [
    streamOf(`live.payment_intent-${pi}`, [
      ['PaymentIntentCreated', 'api', { amount_minor_units: '2500', currency: 'EUR', description: 'Order 10482', return_url: 'https://shop.example/return', metadata: { order_id: '10482', customer: 'c_8841' }, tolerance_bps: 100, expires_at: at }],
      ['MethodSelected', 'api', { token: 'usdc-base', network: 'base', wallet_id: wallet, address, due_base_units: due, tolerance_base_units: '4', rate: '1.08731234', rate_sources: ['one', 'two', 'three'], slot, expires_at: at, reserved_until: at }],
      ['TransferDetected', 'watcher', { transfer, tx_hash: txHash, ordinal: 0, block_number: 23812345, block_hash: blockHash, block_time: at, from: address, value_base_units: due }],
      ['ConfirmationSeen', 'watcher', { block_number: 23812346 }],
      ['PayerScreened', 'watcher', { transfer, verdict: 'clear', source: 'sanctions_list', reference: null }],
      ['DepthReached', 'watcher', { transfer, block_hash: blockHash, head: 23812365 }],
      ['PaymentConfirmed', 'watcher', { received_base_units: due, settled_at: at }],
    ]),
    streamOf(`live.amount_slot-${slot}`, [
      ['AmountReserved', 'api', { payment_intent_id: pi, wallet_id: wallet, amount_base_units: due, reserved_until: at }],
      ['AmountReleased', 'watcher', { payment_intent_id: pi, reason: 'settled' }],
    ]),
    streamOf(`live.transfer-${transfer}`, [
      ['TransferSeen', 'watcher', { block_number: 23812345, block_hash: blockHash, block_time: at, from: address, to: address, value_base_units: due, token: 'usdc-base' }],
      ['TransferClaimed', 'watcher', { payment_intent: pi, slot }],
    ]),
    streamOf(`live.fee_accrual-${pi}`, [
      ['FeeAccrued', 'watcher', { payment_intent_id: pi, fee_minor_units: '25', currency: 'EUR', bps: 100 }],
    ]),
    ...['payment_intent.created', 'payment_intent.detected', 'payment_intent.confirmed'].map(type =>
      streamOf(`live.webhook_delivery-${newId('evt')}:${endpoint}`, [
        ['DeliveryScheduled', 'watcher', { event_id: newId('evt'), endpoint_id: endpoint, type, payment_intent_id: pi, due_at: at }],
        ['AttemptSucceeded', 'watcher', { attempt: 1, status_code: 200, latency_ms: 113, excerpt: 'ok', attempted_at: at }],
      ]),
    ),
    streamOf(`live.invoice-${randomUUID()}`, [
      ['InvoiceDrafted', 'api', { payment_intent_id: pi, number: 'INV-000123', total_minor_units: '2500', currency: 'EUR' }],
      ['InvoicePaid', 'watcher', { payment_intent_id: pi, paid_at: at }],
    ]),
  ]; // prettier-ignore
}

function streamOf(
  stream: string,
  facts: readonly (readonly [string, keyof typeof ACTORS, JsonObject])[],
): StreamOfLife {
  let previous = '0'.repeat(64);
  const events = facts.map(([type, by, data]) => {
    const changes: Partial<EventMetadata> = requestOf(by);
    const sealed = metadata({ ...changes, mode: 'live', prev_hash: previous });
    previous = sealed.hash;
    return { id: randomUUID(), type, data, metadata: sealed };
  });
  return { stream, events };
}

function requestOf(by: keyof typeof ACTORS): Partial<EventMetadata> {
  const request = newId('req');
  return {
    actor: ACTORS[by],
    merchant_id: MERCHANT,
    command_id: `${randomUUID()}/${by}`,
    request_id: by === 'api' ? request : null,
    correlation_id: request,
    causation_id: by === 'api' ? null : randomUUID(),
    ip: by === 'api' ? '203.0.113.77' : null,
  };
}
