import { unreachable } from '../../kernel/invariant';
import type {
  DetectedTransfer,
  PaymentIntentCreated,
  PaymentIntentEvent,
  Quote,
  Remainder,
  TransferMoved,
} from './payment-intent.events';
import { destination, type Status } from './payment-intent.transitions';

export type Terms = PaymentIntentCreated['data'];

/**
 * `final`: deep enough to count. `sighting`: which one of the payment's it is; a transfer that was dropped and seen again is another one. A
 * dropped transfer leaves the ledger.
 */
export type LedgerTransfer = DetectedTransfer & { readonly final: boolean; readonly sighting: number };

/** How much came in, and what is known of who sent it: the second axis beside the status. */
export type Ledger = {
  readonly transfers: Readonly<Record<string, LedgerTransfer>>;
  /** Transfers that it has taken, each once more for every move. */
  readonly sightings: number;
  readonly screened: Readonly<Record<string, 'clear' | 'high_risk' | 'released'>>;
  readonly hold: { readonly status: 'open' | 'released' | 'rejected'; readonly payer: string } | null;
  readonly review: 'pending' | 'accepted' | 'rejected' | null;
  /** What is asked for of a payment that came short; null where it never did, where a transfer that counted is gone since, or its payer is rejected. */
  readonly remainder: Remainder | null;
};

export type PaymentIntent =
  | { readonly status: 'none' }
  | { readonly status: 'created' | 'canceled'; readonly terms: Terms; readonly quote: null }
  | {
      readonly status: Exclude<Status, 'created'>;
      readonly terms: Terms;
      readonly quote: Quote;
      readonly ledger: Ledger;
    };

export type QuotedPaymentIntent = Extract<PaymentIntent, { readonly quote: Quote }>;

const EMPTY_LEDGER: Ledger = { transfers: {}, sightings: 0, screened: {}, hold: null, review: null, remainder: null };

export const NO_PAYMENT_INTENT: PaymentIntent = { status: 'none' };

export function evolve(state: PaymentIntent, event: PaymentIntentEvent): PaymentIntent {
  const to = destination(state.status, event.type);
  if (to === null) return state;
  if (event.type === 'PaymentIntentCreated') return { status: 'created', terms: event.data, quote: null };
  if (state.status === 'none') return state;
  if (event.type === 'MethodSelected') {
    return { status: 'awaiting_payment', terms: state.terms, quote: event.data, ledger: EMPTY_LEDGER };
  }
  if (state.quote === null) return to === 'canceled' ? { ...state, status: to } : state;
  return { ...state, status: to as QuotedPaymentIntent['status'], ledger: evolveLedger(state.ledger, event) };
}

type LedgerEvent = Exclude<PaymentIntentEvent, { readonly type: 'PaymentIntentCreated' | 'MethodSelected' }>;

function evolveLedger(ledger: Ledger, event: LedgerEvent): Ledger {
  switch (event.type) {
    case 'TransferDetected':
      return seen(without(ledger, event.data.transfer_id), event.data);
    case 'TransferMoved':
      return moved(ledger, event.data);
    case 'TransferDropped':
    case 'PaymentFailed':
    case 'SettledTransferLost':
      return without(ledger, event.data.transfer_id);
    case 'DepthReached':
      return finalised(ledger, event.data.transfer_id);
    case 'RemainderCredited':
      return finalised(ledger, event.data.transfer_id);
    case 'PaidLate':
      return { ...finalised(ledger, event.data.transfer_id), review: 'pending' };
    case 'PayerScreened':
      return { ...ledger, screened: { ...ledger.screened, [event.data.payer]: event.data.verdict } };
    case 'HoldPlaced':
      return { ...ledger, hold: { status: 'open', payer: event.data.payer } };
    case 'HoldReleased':
      if (ledger.hold === null) return ledger;
      return {
        ...ledger,
        hold: { ...ledger.hold, status: 'released' },
        screened: { ...ledger.screened, [ledger.hold.payer]: 'released' },
      };
    case 'HoldRejected':
      return ledger.hold === null
        ? ledger
        : { ...ledger, hold: { ...ledger.hold, status: 'rejected' }, remainder: null };
    case 'PaymentUnderpaid':
      return { ...ledger, review: 'pending', remainder: event.data.remainder };
    case 'RemainderReserved':
      return { ...ledger, remainder: event.data };
    case 'PaymentAccepted':
      return { ...ledger, review: 'accepted' };
    case 'ReviewResolved':
      return { ...ledger, review: event.data.resolution };
    case 'PaymentCanceled':
    case 'QuoteExpired':
    case 'ConfirmationSeen':
    case 'PaymentConfirmed':
    case 'PaymentOverpaid':
      return ledger;
    default:
      return unreachable(event);
  }
}

function seen(ledger: Ledger, transfer: DetectedTransfer): Ledger {
  const sighting = ledger.sightings + 1;
  return { ...withTransfer(ledger, { ...transfer, final: false, sighting }), sightings: sighting };
}

function withTransfer(ledger: Ledger, transfer: LedgerTransfer): Ledger {
  return { ...ledger, transfers: { ...ledger.transfers, [transfer.transfer_id]: transfer } };
}

function moved(ledger: Ledger, to: TransferMoved['data']): Ledger {
  const transfer = ledger.transfers[to.transfer_id];
  if (!transfer) return ledger;
  return { ...withTransfer(ledger, { ...transfer, ...to }), sightings: ledger.sightings + 1 };
}

function without(ledger: Ledger, transferId: string): Ledger {
  const { [transferId]: dropped, ...transfers } = ledger.transfers;
  // Where it counted, more is missing than was asked for.
  return { ...ledger, transfers, remainder: dropped?.final ? null : ledger.remainder };
}

function finalised(ledger: Ledger, transferId: string): Ledger {
  const transfer = ledger.transfers[transferId];
  return transfer ? withTransfer(ledger, { ...transfer, final: true }) : ledger;
}
