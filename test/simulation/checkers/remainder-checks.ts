import { parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { TokenId } from '../../../src/vocabulary/tokens';
import { byStream } from '../history';
import { isInWindow, TOKEN_FACTS } from './by-the-book';
import { statusAfter } from './payment-checks';

type Data = Readonly<Record<string, string>>;

const COUNTS: readonly string[] = ['DepthReached', 'RemainderCredited', 'PaidLate'];
const ENDS: readonly string[] = ['TransferDetected', 'TransferDropped', 'PaymentFailed', 'SettledTransferLost'];

/**
 * A payment that came short asks for the amount that is missing at that moment. The amount is kept for the payment as
 * long as is said. At the end, when all is quiet, the payment asks for the amount that is missing then. A payment with
 * an inferred transfer asks for nothing.
 */
export function remaindersAsMissing(events: readonly RecordedEvent[]): string[] {
  const slots = byStream(events, 'amount_slot');
  return [...byStream(events, 'payment_intent')].flatMap(([stream, history]) => restsOf(stream, history, slots));
}

function restsOf(
  stream: string,
  history: readonly RecordedEvent[],
  slots: ReadonlyMap<string, readonly RecordedEvent[]>,
): string[] {
  const found: string[] = [];
  const values = new Map<string, bigint>();
  const counting = new Set<string>();
  const inferred = new Set<string>();
  let quote: Data | null = null;
  let remainder: Data | null = null;
  for (const { type, data, revision, metadata } of history) {
    const { transfer_id: id = '', value_base_units: value } = data as Data;
    if (type === 'MethodSelected') quote = data as Data;
    if (ENDS.includes(type)) {
      counting.delete(id);
      inferred.delete(id);
    }
    if ((data as Data).attribution === 'inferred') inferred.add(id);
    if (value !== undefined) values.set(id, BigInt(value));
    if (COUNTS.includes(type)) counting.add(id);
    const asked = type === 'RemainderReserved' ? data : data.remainder;
    if (!asked || !quote) continue;
    remainder = asked as Data;
    const where = `${stream} #${revision} ${type}`;
    found.push(...faultOf(quote, sum(counting, values), remainder).map(fault => `${where} ${fault}`));
    if (inferred.size > 0) found.push(`${where} beside an inferred transfer`);
    if (!isKept(stream, quote, remainder, slots))
      found.push(`${where} asks for ${remainder.due_base_units}, which is not kept`);
    if (parseIsoTime(remainder.reserved_until as string) <= parseIsoTime(metadata.occurred_at))
      found.push(`${where} asks for an amount whose time is over`);
  }
  if (statusAfter(history) !== 'underpaid' || history.some(isRejection) || !quote) return found;
  if (inferred.size > 0) return found;
  const last = remainder ? faultOf(quote, sum(counting, values), remainder) : ['asks for nothing'];
  return [...found, ...last.map(fault => `${stream}, in the end, ${fault}`)];
}

function sum(counting: ReadonlySet<string>, values: ReadonlyMap<string, bigint>): bigint {
  return [...counting].reduce((total, each) => total + (values.get(each) ?? 0n), 0n);
}

/** Whether the event is a rejection by compliance, or by the merchant in the review: neither payment asks for more. */
export function isRejection({ type, data }: RecordedEvent): boolean {
  return type === 'HoldRejected' || (type === 'ReviewResolved' && (data as Data).resolution === 'rejected');
}

/** An amount that may be asked for where so much is missing. */
function faultOf(quote: Data, received: bigint, remainder: Data): string[] {
  const missing = BigInt(quote.due_base_units as string) - received;
  const asked = BigInt(remainder.due_base_units as string);
  return isInWindow(asked, missing, TOKEN_FACTS[quote.token_id as TokenId])
    ? []
    : [`asks for ${asked} where ${missing} are missing`];
}

function isKept(
  stream: string,
  { network_id: network, address, token_id: token }: Data,
  { slot, reserved_until: until, due_base_units: amount }: Data,
  slots: ReadonlyMap<string, readonly RecordedEvent[]>,
): boolean {
  const reservations = slots.get(`amount_slot-${network}:${address}:${token}:${slot}`) ?? [];
  return reservations.some(({ type, data }) => {
    const { payment_intent: id, reserved_until, amount_base_units } = data as Data;
    const isOwn = type === 'AmountReserved' && stream === `payment_intent-${id}`;
    return isOwn && reserved_until === until && amount_base_units === amount;
  });
}
