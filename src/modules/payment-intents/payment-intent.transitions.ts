import type { ActorRole } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { PaymentIntentEvent } from './payment-intent.events';

export const STATUSES = [
  'created', 'awaiting_payment', 'detected', 'confirming', 'confirmed', 'underpaid', 'overpaid', 'paid_late', 'expired',
  'canceled', 'failed',
] as const; // prettier-ignore
export type Status = (typeof STATUSES)[number];

export const TRIGGERS = [
  'create', 'select_method', 'cancel', 'expire', 'see_transfer', 'turn_away', 'move_transfer', 'drop_transfer',
  'lose_last_transfer', 'see_confirmation', 'screen_payer', 'reach_depth', 'settle_exact', 'settle_short',
  'settle_inferred', 'settle_over', 'credit_part', 'credit_whole', 'ask_remainder', 'credit_late', 'place_hold',
  'release_hold', 'reject_hold', 'accept', 'resolve_accepted', 'resolve_rejected', 'lose_settled_transfer',
] as const; // prettier-ignore
export type Trigger = (typeof TRIGGERS)[number];

type EventType = PaymentIntentEvent['type'];

/** The last event moves the payment to `to`; those before it leave the status as it is. */
export type Transition = {
  readonly to: Status;
  readonly actors: readonly ActorRole[];
  readonly events: readonly EventType[];
};

function edge(to: Status, actors: readonly ActorRole[], ...events: EventType[]): Transition {
  return { to, actors, events };
}

/**
 * The payment's state machine: rows are states, columns are triggers, an empty row is terminal. `none` is a payment
 * that does not exist yet.
 */
export const TRANSITIONS: Readonly<Record<Status | 'none', Readonly<Partial<Record<Trigger, Transition>>>>> = {
  none: {
    create: edge('created', ['api', 'checkout', 'merchant'], 'PaymentIntentCreated'),
  },
  created: {
    select_method: edge('awaiting_payment', ['api', 'checkout'], 'MethodSelected'),
    cancel: edge('canceled', ['merchant'], 'PaymentCanceled'),
  },
  awaiting_payment: {
    cancel: edge('canceled', ['merchant'], 'PaymentCanceled'),
    see_transfer: edge('detected', ['watcher'], 'TransferDetected'),
    expire: edge('expired', ['sweeper'], 'QuoteExpired'),
  },
  detected: {
    see_transfer: edge('detected', ['watcher'], 'TransferDetected'),
    turn_away: edge('detected', ['watcher'], 'TransferLimitReached'),
    drop_transfer: edge('detected', ['watcher'], 'TransferDropped'),
    lose_last_transfer: edge('failed', ['watcher'], 'PaymentFailed'),
    see_confirmation: edge('confirming', ['watcher'], 'ConfirmationSeen'),
  },
  confirming: {
    see_transfer: edge('confirming', ['watcher'], 'TransferDetected'),
    turn_away: edge('confirming', ['watcher'], 'TransferLimitReached'),
    drop_transfer: edge('confirming', ['watcher'], 'TransferDropped'),
    lose_last_transfer: edge('failed', ['watcher'], 'PaymentFailed'),
    screen_payer: edge('confirming', ['watcher'], 'PayerScreened'),
    reach_depth: edge('confirming', ['watcher'], 'DepthReached'),
    settle_exact: edge('confirmed', ['watcher'], 'TransferDropped', 'PaymentConfirmed'),
    settle_short: edge('underpaid', ['watcher'], 'PaymentUnderpaid'),
    settle_inferred: edge('underpaid', ['watcher'], 'PaymentUnderpaid'),
    settle_over: edge('overpaid', ['watcher'], 'TransferDropped', 'PaymentOverpaid'),
    place_hold: edge('confirming', ['compliance'], 'HoldPlaced'),
    release_hold: edge('confirming', ['compliance'], 'HoldReleased'),
    reject_hold: edge('failed', ['compliance'], 'HoldRejected'),
  },
  underpaid: {
    see_transfer: edge('underpaid', ['matcher'], 'TransferDetected'),
    turn_away: edge('underpaid', ['matcher'], 'TransferLimitReached'),
    move_transfer: edge('underpaid', ['watcher'], 'TransferMoved'),
    drop_transfer: edge('underpaid', ['watcher'], 'TransferDropped'),
    screen_payer: edge('underpaid', ['watcher'], 'PayerScreened'),
    credit_part: edge('underpaid', ['matcher'], 'RemainderCredited', 'RemainderReserved'),
    credit_whole: edge('confirmed', ['matcher'], 'RemainderCredited', 'TransferDropped', 'PaymentConfirmed'),
    ask_remainder: edge('underpaid', ['watcher'], 'RemainderReserved'),
    accept: edge('confirmed', ['merchant'], 'PaymentAccepted', 'PaymentConfirmed'),
    resolve_accepted: edge('confirmed', ['merchant'], 'PaymentAccepted', 'PaymentConfirmed'),
    resolve_rejected: edge('underpaid', ['merchant', 'admin'], 'ReviewResolved', 'TransferDropped'),
    place_hold: edge('underpaid', ['compliance'], 'HoldPlaced'),
    release_hold: edge('underpaid', ['compliance'], 'HoldReleased'),
    reject_hold: edge('underpaid', ['compliance'], 'HoldRejected'),
  },
  expired: {
    see_transfer: edge('expired', ['matcher'], 'TransferDetected'),
    turn_away: edge('expired', ['matcher'], 'TransferLimitReached'),
    drop_transfer: edge('expired', ['watcher'], 'TransferDropped'),
    screen_payer: edge('expired', ['watcher'], 'PayerScreened'),
    credit_late: edge('paid_late', ['matcher'], 'PaidLate'),
  },
  paid_late: {
    move_transfer: edge('paid_late', ['watcher'], 'TransferMoved'),
    drop_transfer: edge('paid_late', ['watcher'], 'TransferDropped'),
    screen_payer: edge('paid_late', ['watcher'], 'PayerScreened'),
    credit_late: edge('paid_late', ['matcher'], 'PaidLate'),
    resolve_accepted: edge('confirmed', ['merchant', 'admin'], 'ReviewResolved', 'PaymentConfirmed'),
    resolve_rejected: edge('paid_late', ['merchant', 'admin'], 'ReviewResolved'),
    place_hold: edge('paid_late', ['compliance'], 'HoldPlaced'),
    release_hold: edge('paid_late', ['compliance'], 'HoldReleased'),
    reject_hold: edge('paid_late', ['compliance'], 'HoldRejected'),
  },
  confirmed: {
    move_transfer: edge('confirmed', ['watcher'], 'TransferMoved'),
    drop_transfer: edge('confirmed', ['watcher'], 'TransferDropped'),
    lose_settled_transfer: edge('confirmed', ['watcher'], 'SettledTransferLost'),
  },
  overpaid: {
    move_transfer: edge('overpaid', ['watcher'], 'TransferMoved'),
    lose_settled_transfer: edge('overpaid', ['watcher'], 'SettledTransferLost'),
  },
  canceled: {},
  failed: {
    move_transfer: edge('failed', ['watcher'], 'TransferMoved'),
    drop_transfer: edge('failed', ['watcher'], 'TransferDropped'),
  },
};

/** Whether the table has an edge of one of the triggers. */
export function takes(from: Status, ...triggers: readonly Trigger[]): boolean {
  return triggers.some(trigger => TRANSITIONS[from][trigger] !== undefined);
}

/** The status to which an event leads from a status, read off the table: `evolve` knows no other rule. */
const DESTINATIONS = destinationsByEvent();

function destinationsByEvent(): ReadonlyMap<string, Status> {
  const destinations = new Map<string, Status>();
  for (const [from, row] of Object.entries(TRANSITIONS)) {
    for (const transition of Object.values(row)) {
      transition.events.forEach((type, index) => {
        const to = index === transition.events.length - 1 ? transition.to : (from as Status);
        const known = destinations.get(`${from} ${type}`);
        invariant(known === undefined || known === to, `${type} leads from ${from} to both ${known} and ${to}`);
        destinations.set(`${from} ${type}`, to);
      });
    }
  }
  return destinations;
}

/** Null when the table has no such edge, which no recorded stream contains. */
export function destination(from: Status | 'none', type: EventType): Status | null {
  return DESTINATIONS.get(`${from} ${type}`) ?? null;
}
