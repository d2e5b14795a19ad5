import { DAY_MS, MINUTE_MS, parseIsoTime } from '../../../src/kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../../src/kernel/event';

type Data = Readonly<Record<string, unknown>>;

type Asking = {
  readonly place: string;
  readonly due: bigint;
  readonly quotedMs: number;
  readonly expiresMs: number;
  readonly dedicated: boolean;
  readonly writtenMs: number;
  /** Block time of the first transfer, or the moment of the cancel. */
  leftMs: number;
  /** The transfer that was inferred for the payment. */
  inferred: string | null;
};

const MONTH_MS = 30 * DAY_MS;
/** A quote that is made as a transfer is judged may not be known to the judgement yet. */
const IN_FLIGHT_MS = MINUTE_MS;

/**
 * A credit by inference is the only one of its payment. The amount is from one half of what is due to just below that,
 * and at a dedicated wallet up to 1.01. No other payment was open then, and none of the last thirty days asked for
 * nearly as much.
 */
export function inferencesByTheRule(events: readonly RecordedEvent[]): string[] {
  const payments = new Map<string, Asking>();
  return events.flatMap(event => {
    const { stream, type, data } = event;
    note(payments, event);
    const { payment_intent: id, evidence } = data as Data;
    if (type !== 'TransferClaimed' || !evidence) return [];
    const { value_base_units: value, block_time: time } = evidence as Record<string, string>;
    const claim = { stream, value: BigInt(value ?? 0), paidMs: parseIsoTime(time ?? ''), writtenMs: writtenOf(event) };
    return faultsOf(claim, String(id), payments).map(fault => `${stream} is inferred for ${String(id)}: ${fault}`);
  });
}

type Claim = {
  readonly stream: string;
  readonly value: bigint;
  readonly paidMs: number;
  readonly writtenMs: number;
};

function note(payments: Map<string, Asking>, event: RecordedEvent): void {
  const { category, id } = parseStreamName(event.stream);
  if (category !== 'payment_intent') return;
  const data = event.data as Record<string, string>;
  if (event.type === 'MethodSelected') {
    const { network_id, address, token_id, due_base_units, quoted_at, quote_expires_at } = data;
    payments.set(id, {
      place: `${network_id}:${address}:${token_id}`,
      due: BigInt(due_base_units ?? 0),
      quotedMs: parseIsoTime(quoted_at ?? ''),
      expiresMs: parseIsoTime(quote_expires_at ?? ''),
      dedicated: (event.data as Data).dedicated === true,
      writtenMs: writtenOf(event),
      leftMs: Infinity,
      inferred: null,
    });
  }
  const payment = payments.get(id);
  if (!payment) return;
  if (event.type === 'TransferDetected') payment.leftMs = Math.min(payment.leftMs, parseIsoTime(data.block_time ?? ''));
  if (event.type === 'PaymentCanceled')
    payment.leftMs = Math.min(payment.leftMs, parseIsoTime(event.metadata.occurred_at));
}

function faultsOf({ stream, value, paidMs, writtenMs }: Claim, id: string, payments: Map<string, Asking>): string[] {
  const meant = payments.get(id);
  if (!meant) return ['nobody has quoted it'];
  const found: string[] = [];
  const { due, quotedMs, expiresMs, dedicated } = meant;
  if (paidMs < quotedMs || paidMs > expiresMs) found.push('its quote was not open');
  if (value * 2n < due || (dedicated ? value * 100n > due * 101n : value >= due)) found.push(`${value} of ${due}`);
  if (meant.inferred !== null && meant.inferred !== stream) found.push(`it has ${meant.inferred} already`);
  meant.inferred = stream;
  const off = distance(value, due);
  for (const [name, other] of payments) {
    const isKnown = other.writtenMs < writtenMs - IN_FLIGHT_MS;
    if (name === id || other.place !== meant.place || !isKnown || other.quotedMs < paidMs - MONTH_MS) continue;
    const wasOpen = other.quotedMs <= paidMs && paidMs <= other.expiresMs && other.leftMs > paidMs;
    if (wasOpen) found.push(`${name} was open as well`);
    if (other.quotedMs <= paidMs && distance(value, other.due) <= 2n * off)
      found.push(`${name} asked for ${other.due}`);
  }
  return found;
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}

function writtenOf({ metadata }: RecordedEvent): number {
  return parseIsoTime(metadata.recorded_at);
}
