import { DAY_MS, MINUTE_MS, parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { TokenId } from '../../../src/vocabulary/tokens';
import { byStream } from '../history';
import { TOKEN_FACTS } from './by-the-book';

type Data = Readonly<Record<string, string>>;

/** The specification's: a quote's quarter of an hour and a day more; a remainder's day. */
const RESERVED_MS: Readonly<Record<string, number>> = { quote: 15 * MINUTE_MS + DAY_MS, remainder: DAY_MS };
/** A block's time may lag the service's clock by so much. */
const SKEW_MS = 2 * MINUTE_MS;
const COUNTS: readonly string[] = ['DepthReached', 'RemainderCredited', 'PaidLate'];
const SETTLES: readonly string[] = ['PaymentConfirmed', 'PaymentOverpaid', 'PaymentUnderpaid'];
const ENDS: readonly string[] = ['TransferDropped', 'PaymentFailed', 'SettledTransferLost'];
/** The quote asks for what is due, and so does a payment whose counted transfer is gone. */
const CHANGES_ASKED: readonly string[] = ['MethodSelected', 'TransferDetected', ...ENDS];

/**
 * The received amount of a payment is the sum of its transfers that count. The payment is confirmed, overpaid or
 * underpaid as that sum has it. Without a decision of its merchant, a payment is confirmed only where the sum covers
 * the amount due. No payment settles on a hold. Without a decision, none settles beside a transfer that does not count
 * yet. Beside an inferred transfer at a shared wallet a payment is underpaid, whatever the sum.
 */
export function outcomesAsReceived(events: readonly RecordedEvent[]): string[] {
  return [...byStream(events, 'payment_intent')].flatMap(([stream, history]) => outcomesOf(stream, history));
}

function outcomesOf(stream: string, history: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  const values = new Map<string, bigint>();
  const counting = new Set<string>();
  const inferred = new Set<string>();
  let quote: Data | null = null;
  let hold = 'none';
  let asked = 0n;
  for (const [index, { type, data, revision }] of history.entries()) {
    const { transfer_id: id = '', value_base_units: value, received_base_units: received } = data as Data;
    const where = `${stream} #${revision} ${type}`;
    if (type === 'MethodSelected') quote = data as Data;
    if (quote !== null && (counting.has(id) || type === 'MethodSelected') && CHANGES_ASKED.includes(type))
      asked = BigInt(quote.due_base_units as string);
    if (type === 'TransferDetected') {
      values.set(id, BigInt(value as string));
      counting.delete(id);
      inferred.delete(id);
      if ((data as Data).attribution === 'inferred') inferred.add(id);
    }
    if (COUNTS.includes(type)) counting.add(id);
    if (ENDS.includes(type)) {
      values.delete(id);
      counting.delete(id);
      inferred.delete(id);
    }
    if (type.startsWith('Hold')) hold = type;
    const sum = [...counting].reduce((total, each) => total + (values.get(each) ?? 0n), 0n);
    const remainder = (type === 'RemainderReserved' ? data : data.remainder) as Data | null | undefined;
    if (remainder) asked = sum + BigInt(remainder.due_base_units as string);
    if (received === undefined || quote === null) continue;
    if (sum.toString() !== received) found.push(`${where}: ${received} received, ${sum} count`);
    if (!SETTLES.includes(type)) continue;
    const surplus = type === 'PaymentUnderpaid' ? null : surplusOf(quote, sum, asked);
    if (((data as Data).surplus_base_units ?? null) !== surplus) found.push(`${where}: the surplus is ${surplus}`);
    const before = history.slice(0, index).findLast(event => !isSuperseded(event))?.type ?? '';
    const isDecided = before === 'PaymentAccepted' || before === 'ReviewResolved';
    const isLeftToMerchant = inferred.size > 0 && !(quote as Readonly<Record<string, unknown>>).dedicated;
    const outcome = isLeftToMerchant ? 'PaymentUnderpaid' : outcomeOf(quote, sum);
    if (type !== outcome && !(isDecided && type === 'PaymentConfirmed') && !isRemainder(before, type, outcome))
      found.push(`${where}: ${sum} of ${quote.due_base_units} make it ${outcome}`);
    if (hold === 'HoldPlaced' || hold === 'HoldRejected') found.push(`${where} on a hold`);
    const isFirst = !isDecided && before !== 'RemainderCredited';
    if (isFirst && counting.size < values.size) found.push(`${where} beside a transfer that does not count yet`);
  }
  return found;
}

/** The sum beyond the amount due, where more has come than was asked for. */
function surplusOf({ due_base_units: text, token_id: token }: Data, sum: bigint, asked: bigint): string | null {
  const due = BigInt(text as string);
  const most = (asked > due ? asked : due) + TOKEN_FACTS[token as TokenId].tolerance;
  return sum > most ? (sum - due).toString() : null;
}

/** A remainder that comes to more than was due confirms as well. */
function isRemainder(before: string, type: string, outcome: string): boolean {
  return before === 'RemainderCredited' && type === 'PaymentConfirmed' && outcome !== 'PaymentUnderpaid';
}

function outcomeOf({ due_base_units: text, token_id: token, tolerance_bps: bps }: Data, sum: bigint): string {
  const due = BigInt(text as string);
  const tolerance = TOKEN_FACTS[token as TokenId].tolerance;
  if (sum > due + tolerance) return 'PaymentOverpaid';
  const isCovered = sum >= due - tolerance || sum * 10_000n >= due * (10_000n - BigInt(bps as string));
  return isCovered ? 'PaymentConfirmed' : 'PaymentUnderpaid';
}

/** An amount that a payer was shown is the payment's until a day after its quote's end. */
export function amountsKept(events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  const quoted = new Set(
    events.flatMap(({ type, stream, data }) =>
      type === 'MethodSelected' ? [`${stream.split('-')[1]} ${(data as Data).slot}`] : [],
    ),
  );
  for (const [stream, history] of byStream(events, 'amount_slot')) {
    let reserved: Data = {};
    for (const { type, data, metadata } of history) {
      const where = `${stream}: ${type}`;
      if (type === 'AmountReserved') {
        reserved = data as Data;
        const forMs = parseIsoTime(reserved.reserved_until ?? '') - parseIsoTime(metadata.occurred_at);
        if (forMs !== RESERVED_MS[reserved.purpose ?? '']) found.push(`${where} for ${forMs} ms`);
        continue;
      }
      const isLapsed = (data as Data).reason === 'lapsed';
      if (isLapsed && parseIsoTime(metadata.occurred_at) < parseIsoTime(reserved.reserved_until ?? ''))
        found.push(`${where} before its time`);
      const shown = `${reserved.payment_intent} ${stream.split(':').at(-1)}`;
      if (!isLapsed && quoted.has(shown)) found.push(`${where}, though ${reserved.payment_intent} was shown it`);
    }
  }
  return found;
}

/**
 * A claim that the watcher makes by itself meets an amount that was reserved for the payment as the block was made.
 * Claims by inference have a rule of their own.
 */
export function claimsByAmount(events: readonly RecordedEvent[]): string[] {
  const slots = [...byStream(events, 'amount_slot')].map(
    ([stream, history]) => [stream, history.filter(({ type }) => type === 'AmountReserved')] as const,
  );
  return [...byStream(events, 'transfer')].flatMap(([stream, history]) => {
    const claimers = new Set<string>();
    let seen: Data = {};
    const found: string[] = [];
    for (const { type, data, metadata } of history) {
      const { payment_intent: paymentIntent = '' } = data as Data;
      if (type === 'TransferSeen') seen = data as Data;
      if (type !== 'TransferClaimed' && type !== 'TransferResolved') continue;
      if ((data as Data).evidence) continue;
      // A claim outlives a reorganisation, whichever part made it.
      if (metadata.actor.role === 'watcher' && !claimers.has(paymentIntent) && !isReserved(seen, paymentIntent, slots))
        found.push(`${stream} of ${seen.value_base_units} is claimed for ${paymentIntent}, which had no such amount`);
      claimers.add(paymentIntent);
    }
    return found;
  });
}

function isReserved(
  { token_id: token, to, value_base_units: value, block_time: time }: Data,
  paymentIntent: string,
  slots: readonly (readonly [string, readonly RecordedEvent[]])[],
): boolean {
  const tolerance = TOKEN_FACTS[token as TokenId].tolerance;
  const paidMs = parseIsoTime(time as string);
  return slots
    .filter(([stream]) => stream.includes(`:${to}:${token}:`))
    .some(([, reservations]) =>
      reservations.some(({ data }) => {
        const { payment_intent, amount_base_units: amount, reserved_at, reserved_until } = data as Data;
        const off = BigInt(amount as string) - BigInt(value as string);
        const isOpen = paidMs >= parseIsoTime(reserved_at as string) - SKEW_MS;
        const isMet = off <= tolerance && -off <= tolerance;
        return payment_intent === paymentIntent && isMet && isOpen && paidMs <= parseIsoTime(reserved_until as string);
      }),
    );
}

/** An inferred transfer goes, in the append that settles its payment without it. */
function isSuperseded({ type, data }: RecordedEvent): boolean {
  return type === 'TransferDropped' && (data as Data).reason === 'superseded';
}
