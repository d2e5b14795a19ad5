import { parseIsoTime } from '../../src/kernel/clock';
import type { RecordedEvent } from '../../src/kernel/event';
import { firstBrokenLink } from '../../src/kernel/hash-chain';
import {
  TRANSITIONS,
  type Status,
  type Transition,
} from '../../src/modules/payment-intents/payment-intent.transitions';
import { byStream } from './history';
import type { World } from './world';

/**
 * What must hold after every run, each told by code that shares nothing with what it judges but the shapes of the events. A violation is a
 * sentence.
 */
export async function violations(world: World, events: readonly RecordedEvent[]): Promise<readonly string[]> {
  return [
    ...transitionsByTheTable(events),
    ...oneCreditATransfer(events),
    ...screenedBeforeConfirmed(events),
    ...reservationsApart(events),
    ...unbrokenChains(events),
    ...(await moneyAddsUp(world, events)),
    ...(await whoeverPaidInTimeIsConfirmed(world, events)),
  ];
}

type Payments = ReadonlyMap<string, readonly RecordedEvent[]>;
type Data = Readonly<Record<string, string>>;

function payments(events: readonly RecordedEvent[]): Payments {
  return byStream(events, 'payment_intent');
}

/** I4: every event has an edge in the table, from the status that the events before it lead to, and its actor is the edge's. */
function transitionsByTheTable(events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  for (const [stream, history] of payments(events)) {
    let status: Status | 'none' = 'none';
    for (const event of history) {
      const edges: readonly Transition[] = Object.values(TRANSITIONS[status]).filter(edge =>
        (edge.events as readonly string[]).includes(event.type),
      );
      const own = edges.find(edge => edge.by.includes(event.metadata.actor.role));
      if (!own)
        found.push(`I4: ${stream} #${event.revision}: ${event.type} by ${event.metadata.actor.role} in ${status}`);
      else if (own.events.at(-1) === event.type) status = own.to;
    }
  }
  return found;
}

/** I1: a transfer counts for one payment at most, and once. */
function oneCreditATransfer(events: readonly RecordedEvent[]): string[] {
  const creditedBy = new Map<string, string>();
  const found: string[] = [];
  for (const [stream, history] of payments(events)) {
    for (const { type, data } of history) {
      if (!['DepthReached', 'RemainderCredited', 'PaidLate'].includes(type)) continue;
      const id = (data as Data).transfer_id as string;
      const other = creditedBy.get(id);
      if (other !== undefined && other !== stream) found.push(`I1: ${id} counts for ${other} and for ${stream}`);
      creditedBy.set(id, stream);
    }
  }
  return found;
}

/** I3: every payer of a payment that became confirmed or overpaid was screened clear, or released, before. */
function screenedBeforeConfirmed(events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  for (const [stream, history] of payments(events)) {
    const end = history.findIndex(({ type }) => type === 'PaymentConfirmed' || type === 'PaymentOverpaid');
    const before = history.slice(0, Math.max(end, 0));
    const dropped = before
      .filter(({ type }) => type === 'TransferDropped')
      .map(({ data }) => (data as Data).transfer_id);
    const clear = before
      .filter(({ type, data }) => type === 'PayerScreened' && (data as Data).verdict === 'clear')
      .map(({ data }) => (data as Data).payer);
    for (const { type, data } of before) {
      const { transfer_id: id, from } = data as Data;
      if (type !== 'TransferDetected' || dropped.includes(id)) continue;
      if (!clear.includes(from)) found.push(`I3: ${stream} was confirmed and its payer ${from} never screened clear`);
    }
  }
  return found;
}

/** I2: on one slot, reservations never overlap; the slots themselves lie a grid step apart. */
function reservationsApart(events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  for (const [stream, history] of byStream(events, 'amount_slot')) {
    let holder: string | null = null;
    for (const { type, data, revision } of history) {
      const { payment_intent: by } = data as Data;
      if (type === 'AmountReserved' && holder !== null)
        found.push(`I2: ${stream} #${revision}: ${by} beside ${holder}`);
      holder = type === 'AmountReserved' ? (by ?? null) : null;
    }
  }
  return found;
}

/** I11: every stream's hash chain holds, and no revision is missing. */
function unbrokenChains(events: readonly RecordedEvent[]): string[] {
  return ['payment_intent', 'transfer', 'amount_slot', 'coverage'].flatMap(category =>
    [...byStream(events, category)].flatMap(([stream, history]) => {
      const gap = history.findIndex((event, index) => event.revision !== index);
      const broken = firstBrokenLink(history);
      return [
        ...(gap < 0 ? [] : [`I11: ${stream} has no revision ${gap}`]),
        ...(broken ? [`I11: ${stream} is broken at #${broken.revision}`] : []),
      ];
    }),
  );
}

/** I12: each transfer that stands on the chain is credited to one payment or lies in the unmatched queue; no other counts. */
async function moneyAddsUp(world: World, events: readonly RecordedEvent[]): Promise<string[]> {
  const found: string[] = [];
  const standing = new Map(world.onChain().map(payment => [payment.transfer.txHash, payment]));
  for (const [stream, history] of byStream(events, 'transfer')) {
    const hash = stream.split(':')[1] as string;
    const last = history.at(-1)?.type;
    const claimedBy = history.findLast(({ type }) => type === 'TransferClaimed');
    if (!standing.has(hash)) {
      if (last === 'TransferClaimed' && !(await isDroppedFrom(world, (claimedBy?.data as Data).by as string, hash)))
        found.push(`I12: ${hash} is not on the chain, yet ${(claimedBy?.data as Data).by} has it`);
      continue;
    }
    standing.delete(hash);
    if (last !== 'TransferClaimed' && last !== 'TransferUnmatched')
      found.push(`I12: ${hash} stands on the chain, and its stream ends in ${last}`);
    if (last !== 'TransferClaimed') continue;
    const state = await world.fixture.payment((claimedBy?.data as Data).by as string);
    const has =
      state.status !== 'none' &&
      state.quote !== null &&
      Object.values(state.ledger.transfers).some(({ tx_hash }) => tx_hash === hash);
    if (!has) found.push(`I12: ${hash} is claimed by ${(claimedBy?.data as Data).by}, which does not have it`);
  }
  for (const hash of standing.keys()) found.push(`I12: ${hash} stands on the chain and was never seen`);
  return found;
}

async function isDroppedFrom(world: World, paymentIntent: string, hash: string): Promise<boolean> {
  const state = await world.fixture.payment(paymentIntent);
  if (state.status === 'none' || state.quote === null) return true;
  return !Object.values(state.ledger.transfers).some(({ tx_hash }) => tx_hash === hash);
}

/** Nobody who paid the exact amount before the quote's end, and whose transfer stands, is left unpaid, expired or failed. */
async function whoeverPaidInTimeIsConfirmed(world: World, events: readonly RecordedEvent[]): Promise<string[]> {
  const found: string[] = [];
  const log = payments(events);
  for (const payment of world.onChain()) {
    if (!payment.isExact || payment.meant === null || !(await world.wasInTime(payment))) continue;
    const history = log.get(`test.payment_intent-${payment.meant}`) ?? [];
    const quoted = history.find(({ type }) => type === 'MethodSelected');
    if (!quoted || payment.timeMs < parseIsoTime(quoted.metadata.occurred_at)) continue;
    // A hold waits for a human, and there is none here.
    if (history.some(({ type }) => type === 'HoldPlaced')) continue;
    const { status } = await world.fixture.payment(payment.meant);
    // A payment that failed because another transfer to it was gone for good may be met by one that came after.
    if (!['confirmed', 'overpaid', 'failed'].includes(status))
      found.push(`${payment.meant} was paid in time and is ${status}`);
    if (status === 'failed' && !history.some(({ type }) => type === 'PaymentFailed'))
      found.push(`${payment.meant} failed without a reason`);
  }
  return found;
}
