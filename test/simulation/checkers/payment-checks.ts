import { parseStreamName, type RecordedEvent } from '../../../src/kernel/event';
import {
  TRANSITIONS,
  type Status,
  type Transition,
} from '../../../src/modules/payment-intents/payment-intent.transitions';
import { transferId, transferKeyOf } from '../../../src/modules/transfers/transfer.decider';
import { byStream } from '../history';

type Data = Readonly<Record<string, string>>;

const MOST_TRANSFERS = 100;
/** The events by which a payment takes a transfer, asks for one or is paid. */
const TAKES: readonly string[] = [
  'TransferDetected', 'RemainderCredited', 'PaidLate', 'RemainderReserved', 'PaymentAccepted', 'PaymentConfirmed',
]; // prettier-ignore

/**
 * I4: every event has an edge in the table, from the status that the events before it lead to, and its actor is the
 * edge's.
 */
export function transitionsByTheTable(events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  for (const [stream, history] of byStream(events, 'payment_intent')) {
    let status: Status | 'none' = 'none';
    for (const event of history) {
      const edges: readonly Transition[] = Object.values(TRANSITIONS[status]).filter(edge =>
        (edge.events as readonly string[]).includes(event.type),
      );
      const own = edges.find(edge => edge.actors.includes(event.metadata.actor.role));
      if (!own)
        found.push(`I4: ${stream} #${event.revision}: ${event.type} by ${event.metadata.actor.role} in ${status}`);
      else if (own.events.at(-1) === event.type) status = own.to;
    }
  }
  return found;
}

/**
 * I1: a transfer counts for one payment at a time, and once. A transfer counts anew only where it was dropped since, or
 * was seen in another block before the payment had settled.
 */
export function oneCreditATransfer(events: readonly RecordedEvent[]): string[] {
  const countsFor = new Map<string, string>();
  const found: string[] = [];
  for (const { stream, type, data, revision } of events) {
    const { transfer_id: id = '' } = data as Data;
    const other = countsFor.get(id);
    if (
      ['TransferDetected', 'TransferDropped', 'PaymentFailed', 'SettledTransferLost'].includes(type) &&
      other === stream
    )
      countsFor.delete(id);
    if (!['DepthReached', 'RemainderCredited', 'PaidLate'].includes(type)) continue;
    if (other !== undefined && other !== stream) found.push(`I1: ${id} counts for ${other} and for ${stream}`);
    if (other === stream) found.push(`I1: ${stream} #${revision} counts ${id} once more`);
    countsFor.set(id, stream);
  }
  return found;
}

/** A transfer counts for no payment before its own stream says so, in the block in which it is counted. */
export function committedBeforeCounted(events: readonly RecordedEvent[]): string[] {
  const committed = new Map<string, string>();
  const blocks = new Map<string, string>();
  return events.flatMap(({ stream, type, data, revision }) => {
    const { transfer_id: id = '', block_hash: block = '', payment_intent: paymentIntent = '' } = data as Data;
    if (type === 'TransferCommitted')
      committed.set(transferId(transferKeyOf(parseStreamName(stream).id)), `${paymentIntent} ${block}`);
    if (type === 'TransferDetected' || type === 'TransferMoved') blocks.set(`${stream} ${id}`, block);
    if (!['DepthReached', 'RemainderCredited', 'PaidLate'].includes(type)) return [];
    const counted = `${parseStreamName(stream).id} ${blocks.get(`${stream} ${id}`)}`;
    return committed.get(id) === counted
      ? []
      : [`${stream} #${revision} counts ${id}, committed to ${committed.get(id)}`];
  });
}

/**
 * I3: every payer of a payment that became confirmed or overpaid was screened clear, or released by a human, before.
 */
export function screenedBeforeConfirmed(events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  for (const [stream, history] of byStream(events, 'payment_intent')) {
    const end = history.findIndex(({ type }) => type === 'PaymentConfirmed' || type === 'PaymentOverpaid');
    if (end < 0) continue;
    const payers = new Map<string, string>();
    const passed = new Set<string>();
    let held: string | undefined;
    for (const { type, data } of history.slice(0, end)) {
      const { transfer_id: id, from, payer, verdict } = data as Data;
      if (type === 'TransferDetected') payers.set(id as string, from as string);
      if (type === 'TransferDropped') payers.delete(id as string);
      if (type === 'PayerScreened' && verdict === 'clear') passed.add(payer as string);
      if (type === 'HoldPlaced') held = payer;
      if (type === 'HoldReleased' && held !== undefined) passed.add(held);
    }
    // A transfer that came after the first settlement, and is short of depth, has not counted yet.
    const counted = history
      .slice(0, end)
      .flatMap(({ type, data }) =>
        ['DepthReached', 'RemainderCredited', 'PaidLate'].includes(type) ? [(data as Data).transfer_id as string] : [],
      );
    for (const [id, from] of payers) {
      if (counted.includes(id) && !passed.has(from))
        found.push(`I3: ${stream} counts ${id}, whose payer ${from} never passed`);
    }
  }
  return found;
}

/** A payment takes so many transfers, each move of one counted: its stream stays short, however often payers pay. */
export function nonePaidTooOften(events: readonly RecordedEvent[]): string[] {
  return [...byStream(events, 'payment_intent')].flatMap(([stream, history]) => {
    const taken = history.filter(({ type }) => type === 'TransferDetected' || type === 'TransferMoved').length;
    return taken > MOST_TRANSFERS ? [`${stream} has taken ${taken} transfers`] : [];
  });
}

/**
 * A review is decided once, until other money opens it again. A rejection ends the review: no transfer is on its way
 * then, and none is taken afterwards.
 */
export function reviewsDecidedOnce(events: readonly RecordedEvent[]): string[] {
  return [...byStream(events, 'payment_intent')].flatMap(([stream, history]) => {
    let isPending = false;
    let isRejected = false;
    const onTheirWay = new Set<string>();
    return history.flatMap(({ type, revision, data }) => {
      const { transfer_id: id = '', resolution } = data as Data;
      if (type === 'TransferDetected') onTheirWay.add(id);
      if (['DepthReached', 'RemainderCredited', 'PaidLate', 'TransferDropped'].includes(type)) onTheirWay.delete(id);
      if (isRejected && TAKES.includes(type)) return [`${stream} #${revision}: ${type} after a rejection`];
      isRejected ||= type === 'ReviewResolved' && resolution === 'rejected';
      if (type === 'ReviewResolved' && resolution === 'rejected' && onTheirWay.size > 0)
        return [`${stream} #${revision}: rejected while a transfer is on its way`];
      const isDecision = type === 'ReviewResolved' || type === 'PaymentAccepted';
      const isTwice = type === 'ReviewResolved' && !isPending;
      if (type === 'PaidLate' || type === 'PaymentUnderpaid') isPending = true;
      if (isDecision) isPending = false;
      return isTwice ? [`${stream} #${revision}: a review is resolved that was decided before`] : [];
    });
  });
}

/** A payment whose transfers are deep enough does not stay on its way for ever. */
export function noneIsLeftOnItsWay(events: readonly RecordedEvent[]): string[] {
  return [...byStream(events, 'payment_intent')].flatMap(([stream, history]) => {
    const status = statusAfter(history);
    return ['awaiting_payment', 'detected', 'confirming'].includes(status) ? [`${stream} is left in ${status}`] : [];
  });
}

export function statusAfter(history: readonly RecordedEvent[]): Status | 'none' {
  let status: Status | 'none' = 'none';
  for (const event of history) {
    for (const edge of Object.values(TRANSITIONS[status]) as readonly Transition[]) {
      if (edge.events.at(-1) !== event.type) continue;
      status = edge.to;
      break;
    }
  }
  return status;
}
