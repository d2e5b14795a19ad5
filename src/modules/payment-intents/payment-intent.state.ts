import { unreachable } from '../../kernel/invariant';
import { attributionOf } from './payment-intent.attribution';
import type {
  Attribution,
  DetectedTransfer,
  PaymentIntentCreated,
  PaymentIntentEvent,
  Quote,
  Remainder,
  SightedTransfer,
} from './payment-intent.events';
import { destination, type Status } from './payment-intent.transitions';

export type Terms = PaymentIntentCreated['data'];

/**
 * `final`: deep enough to count. `sighting`: the number of the payment's sighting; a transfer that was dropped and seen
 * again has a new number. A dropped transfer leaves the ledger.
 */
export type LedgerTransfer = SightedTransfer & {
  readonly attribution: Attribution;
  readonly final: boolean;
  readonly sighting: number;
};

/** The sum received, and the knowledge about its payers: the second axis beside the status. */
export type Ledger = {
  readonly transfers: Readonly<Record<string, LedgerTransfer>>;
  /** Transfers that the payment has taken, each once more for every move. */
  readonly sightings: number;
  /** The payment has recorded that it takes no more transfers. */
  readonly isFull: boolean;
  /** The one transfer that the payment has ever got by inference, whether or not the payment has it still. */
  readonly inferred: string | null;
  readonly screened: Readonly<Record<string, 'clear' | 'high_risk' | 'released'>>;
  readonly hold: { readonly status: 'open' | 'released' | 'rejected'; readonly payer: string } | null;
  readonly review: 'pending' | 'accepted' | 'rejected' | null;
  /**
   * The amount that is asked for of a short payment. Null where the payment was never short, where no amount was free,
   * and where only the merchant can confirm the payment. Null too where a transfer that counted is gone since, or the
   * payment's payer is rejected.
   */
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

export type ExistingPaymentIntent = Exclude<PaymentIntent, { readonly status: 'none' }>;
export type QuotedPaymentIntent = Extract<PaymentIntent, { readonly quote: Quote }>;

function emptyLedger(): Ledger {
  return {
    transfers: {},
    sightings: 0,
    isFull: false,
    inferred: null,
    screened: {},
    hold: null,
    review: null,
    remainder: null,
  };
}

export const NO_PAYMENT_INTENT: PaymentIntent = { status: 'none' };

export function evolve(state: PaymentIntent, event: PaymentIntentEvent): PaymentIntent {
  if (state.status === 'none' || state.quote === null) return moved(state, event);
  const { ledger } = state;
  const copy = { ...ledger, transfers: { ...ledger.transfers }, screened: { ...ledger.screened } };
  return moved({ ...state, ledger: copy }, event);
}

/** Copies the ledger for no event: no other code has seen the ledger that is folded here. */
export function evolveAll(events: readonly PaymentIntentEvent[]): PaymentIntent {
  return events.reduce<PaymentIntent>(moved, NO_PAYMENT_INTENT);
}

/** May change the given ledger. */
function moved(state: PaymentIntent, event: PaymentIntentEvent): PaymentIntent {
  const to = destination(state.status, event.type);
  if (to === null) return state;
  if (event.type === 'PaymentIntentCreated') return { status: 'created', terms: event.data, quote: null };
  if (state.status === 'none') return state;
  if (event.type === 'MethodSelected') {
    return { status: 'awaiting_payment', terms: state.terms, quote: event.data, ledger: emptyLedger() };
  }
  if (state.quote === null) return to === 'canceled' ? { ...state, status: to } : state;
  const ledger = state.ledger as LedgerDraft;
  apply(ledger, event, state.quote);
  return { ...state, status: to as QuotedPaymentIntent['status'], ledger };
}

type LedgerEvent = Exclude<PaymentIntentEvent, { readonly type: 'PaymentIntentCreated' | 'MethodSelected' }>;
type LedgerDraft = { -readonly [Field in Exclude<keyof Ledger, 'transfers' | 'screened'>]: Ledger[Field] } & {
  readonly transfers: Record<string, LedgerTransfer>;
  readonly screened: Record<string, Ledger['screened'][string]>;
};

function apply(ledger: LedgerDraft, event: LedgerEvent, quote: Quote): void {
  switch (event.type) {
    case 'TransferDetected':
      return detect(ledger, event.data, quote);
    case 'TransferMoved':
      ledger.sightings += 1;
      return change(ledger, event.data.transfer_id, event.data);
    case 'TransferLimitReached':
      ledger.isFull = true;
      return;
    case 'TransferDropped':
    case 'PaymentFailed':
    case 'SettledTransferLost':
      return drop(ledger, event.data.transfer_id);
    case 'RemainderCredited':
      // The amount asked for was that of a larger remainder; another event reserves the amount of the new one.
      ledger.remainder = null;
      return change(ledger, event.data.transfer_id, { final: true });
    case 'DepthReached':
      return change(ledger, event.data.transfer_id, { final: true });
    case 'PaidLate':
      ledger.review = 'pending';
      return change(ledger, event.data.transfer_id, { final: true });
    case 'PayerScreened':
      ledger.screened[event.data.payer] = event.data.verdict;
      return;
    case 'HoldPlaced':
      ledger.hold = { status: 'open', payer: event.data.payer };
      return;
    case 'HoldReleased':
      if (ledger.hold === null) return;
      ledger.screened[ledger.hold.payer] = 'released';
      ledger.hold = { ...ledger.hold, status: 'released' };
      return;
    case 'HoldRejected':
      if (ledger.hold === null) return;
      ledger.hold = { ...ledger.hold, status: 'rejected' };
      ledger.remainder = null;
      return;
    case 'PaymentUnderpaid':
      ledger.review = 'pending';
      ledger.remainder = event.data.remainder;
      return;
    case 'RemainderReserved':
      ledger.remainder = event.data;
      return;
    case 'PaymentAccepted':
      ledger.review = 'accepted';
      return;
    case 'ReviewResolved':
      ledger.review = event.data.resolution;
      return;
    case 'PaymentCanceled':
    case 'QuoteExpired':
    case 'ConfirmationSeen':
    case 'PaymentConfirmed':
    case 'PaymentOverpaid':
      return;
    default:
      return unreachable(event);
  }
}

function detect(ledger: LedgerDraft, transfer: DetectedTransfer, quote: Quote): void {
  const { transfer_id: id, attribution: told } = transfer;
  const known = ledger.transfers[id];
  const attribution = told === 'unrecorded' ? attributionOf(quote, ledger.remainder, known, transfer) : told;
  drop(ledger, id);
  ledger.sightings += 1;
  ledger.transfers[id] = { ...transfer, attribution, final: false, sighting: ledger.sightings };
  if (attribution === 'inferred') ledger.inferred = id;
}

function drop(ledger: LedgerDraft, transferId: string): void {
  // Where the transfer counted, the remainder is now larger than the amount asked for.
  if (ledger.transfers[transferId]?.final) ledger.remainder = null;
  delete ledger.transfers[transferId];
}

function change(ledger: LedgerDraft, transferId: string, facts: Partial<LedgerTransfer>): void {
  const transfer = ledger.transfers[transferId];
  if (transfer) ledger.transfers[transferId] = { ...transfer, ...facts };
}
