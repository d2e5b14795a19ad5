import { parseIsoTime } from '../../../kernel/clock';
import type { RateObservation } from '../../../kernel/ports/rate-source';
import { formatTokenAmount, TOKENS, type Asset, type Token } from '../../../vocabulary/tokens';
import type { InferenceEvidence } from '../../transfers/inference-facts';
import type {
  DetectedTransfer,
  PaymentIntentEvent,
  Quote,
  Received,
  Remainder,
  SightedTransfer,
} from '../payment-intent.events';

/** The names of facts; the pages have words for each. */
export const FACT_NAMES = [
  'amount', 'description', 'metadata', 'link', 'invoice', 'restarted_from', 'network', 'address', 'wallet', 'rate',
  'rate_source', 'price', 'reserved', 'slot', 'reserved_until', 'quote_expires_at', 'confirmations_asked', 'finality',
  'tolerance', 'transfer', 'transaction', 'log_index', 'payer', 'came', 'block', 'block_hash', 'block_time',
  'attribution', 'head', 'confirmations', 'verdict', 'received', 'credited', 'surplus', 'remainder', 'drop_reason',
  'limit', 'note', 'resolution', 'inference_asked', 'inference_distance', 'inference_after_quote', 'inference_others',
  'inference_nearest', 'inference_wallet',
] as const; // prettier-ignore
export type FactName = (typeof FACT_NAMES)[number];

/** A fact in the form in which a page shows it. */
export type EvidenceFact = { readonly name: FactName } & (
  | { readonly form: 'text' | 'code' | 'hash' | 'address' | 'time' | 'payment' | 'transfer'; readonly value: string }
  /** `price` is the amount before it was made unique; null where no digits are told apart. */
  | { readonly form: 'token'; readonly value: string; readonly asset: Asset; readonly price: string | null }
  | { readonly form: 'money'; readonly value: string; readonly currency: string; readonly decimals: number }
  | { readonly form: 'observation'; readonly value: string; readonly observation: RateObservation }
  | { readonly form: 'span'; readonly value: string; readonly ms: number }
);

type Terms = Extract<PaymentIntentEvent, { readonly type: 'PaymentIntentCreated' }>['data'];
type Money = Pick<Terms, 'currency' | 'currency_decimals'>;

/** The facts of earlier events that the evidence of later ones needs. */
export type KnownFacts = {
  readonly terms: Terms | null;
  readonly quote: Quote | null;
  readonly transfers: ReadonlyMap<string, SightedTransfer>;
  /** The grounds of the payment's inferred transfer, by its id. */
  readonly inferences: ReadonlyMap<string, InferenceEvidence>;
};

/**
 * The evidence that an event holds. The reasons and sources of compliance are left out, and so are the names of
 * administrators: a merchant who reads them could warn the payer.
 */
export function evidenceOf(event: PaymentIntentEvent, known: KnownFacts): readonly EvidenceFact[] {
  switch (event.type) {
    case 'PaymentIntentCreated':
      return ofTerms(event.data);
    case 'MethodSelected':
      return ofQuote(event.data);
    case 'TransferDetected':
      return ofTransfer(event.data, known);
    case 'TransferMoved':
      return [fact('transfer', 'transfer', event.data.transfer_id), ...ofBlock(event.data)];
    case 'TransferDropped':
    case 'PaymentFailed':
      return [...ofNamed(event.data.transfer_id, known), fact('drop_reason', 'code', event.data.reason)];
    case 'SettledTransferLost':
      return ofNamed(event.data.transfer_id, known);
    case 'TransferLimitReached':
      return [fact('limit', 'text', String(event.data.limit))];
    case 'ConfirmationSeen':
    case 'DepthReached':
      return ofDepth(event.data, known);
    case 'PayerScreened':
      return [fact('payer', 'address', event.data.payer), fact('verdict', 'code', event.data.verdict)];
    case 'PaymentConfirmed':
    case 'PaymentOverpaid':
      return [...ofReceived(event.data, known), ...tokens('surplus', event.data.surplus_base_units, known)];
    case 'PaymentUnderpaid':
      return [...ofReceived(event.data, known), ...ofRemainder(event.data.remainder, known)];
    case 'RemainderCredited':
    case 'PaidLate':
      return [...ofNamed(event.data.transfer_id, known), ...ofReceived(event.data, known)];
    case 'RemainderReserved':
      return ofRemainder(event.data, known);
    case 'HoldPlaced':
      return [fact('payer', 'address', event.data.payer)];
    case 'PaymentAccepted':
      return event.data.note === null ? [] : [fact('note', 'text', event.data.note)];
    case 'ReviewResolved':
      return [fact('resolution', 'code', event.data.resolution), fact('note', 'text', event.data.note)];
    case 'QuoteExpired':
      return [fact('quote_expires_at', 'time', event.data.quote_expires_at)];
    case 'PaymentCanceled':
    case 'HoldReleased':
    case 'HoldRejected':
      return [];
  }
}

/** The facts that are known once the event has been told. */
export function knownAfter(event: PaymentIntentEvent, known: KnownFacts): KnownFacts {
  if (event.type === 'PaymentIntentCreated') return { ...known, terms: event.data };
  if (event.type === 'MethodSelected') return { ...known, quote: event.data };
  if (event.type === 'TransferDetected')
    return { ...known, transfers: new Map(known.transfers).set(event.data.transfer_id, event.data) };
  const moved = event.type === 'TransferMoved' ? known.transfers.get(event.data.transfer_id) : undefined;
  if (event.type !== 'TransferMoved' || moved === undefined) return known;
  return { ...known, transfers: new Map(known.transfers).set(moved.transfer_id, { ...moved, ...event.data }) };
}

function ofTerms(terms: Terms): readonly EvidenceFact[] {
  const { amount_minor_units, metadata, description, payment_link, invoice, restarted_from } = terms;
  return [
    money('amount', amount_minor_units, terms),
    ...(description === null ? [] : [fact('description', 'text', description)]),
    ...Object.entries(metadata).map(([name, value]) => fact('metadata', 'text', `${name}=${value}`)),
    ...(payment_link === null ? [] : [fact('link', 'code', payment_link)]),
    ...(invoice === null ? [] : [fact('invoice', 'code', invoice)]),
    ...(restarted_from === null ? [] : [fact('restarted_from', 'payment', restarted_from)]),
  ];
}

function ofQuote(quote: Quote): readonly EvidenceFact[] {
  const token = TOKENS[quote.token_id];
  const price = formatTokenAmount(token, quote.price_base_units);
  return [
    fact('network', 'code', quote.network_id),
    fact('address', 'address', quote.address),
    fact('wallet', 'code', quote.wallet_id),
    ...quote.observations.map(observation => ({
      ...({ name: 'rate_source', form: 'observation' } as const),
      value: observation.rate,
      observation,
    })),
    fact('rate', 'text', quote.rate),
    tokenFact('price', quote.price_base_units, token),
    { ...tokenFact('reserved', quote.due_base_units, token), price },
    fact('slot', 'text', quote.slot),
    fact('quote_expires_at', 'time', quote.quote_expires_at),
    fact('reserved_until', 'time', quote.reserved_until),
    fact('confirmations_asked', 'text', String(quote.required_confirmations)),
    fact('finality', 'code', quote.finality_tier),
    ...(quote.tolerance_bps === 0 ? [] : [fact('tolerance', 'text', `${quote.tolerance_bps}`)]),
  ];
}

function ofTransfer(transfer: DetectedTransfer, known: KnownFacts): readonly EvidenceFact[] {
  const inference = transfer.attribution === 'inferred' ? known.inferences.get(transfer.transfer_id) : undefined;
  return [
    ...tokens('came', transfer.value_base_units, known),
    fact('payer', 'address', transfer.from),
    fact('transaction', 'hash', transfer.tx_hash),
    fact('log_index', 'text', String(transfer.ordinal)),
    fact('transfer', 'transfer', transfer.transfer_id),
    ...ofBlock(transfer),
    ...(transfer.attribution === 'unrecorded' ? [] : [fact('attribution', 'code', transfer.attribution)]),
    ...(inference ? ofInference(inference, known) : []),
  ];
}

/** The grounds of an inference; the distances are those at the moment of the judgement. */
function ofInference(evidence: InferenceEvidence, known: KnownFacts): readonly EvidenceFact[] {
  const { due_base_units, distance_base_units, quoted_at, block_time, is_dedicated, others } = evidence;
  const [nearest] = others;
  const waitedMs = quoted_at === null ? null : parseIsoTime(block_time) - parseIsoTime(quoted_at);
  return [
    ...tokens('inference_asked', due_base_units, known),
    ...tokens('inference_distance', distance_base_units, known),
    ...(waitedMs === null
      ? []
      : [{ name: 'inference_after_quote', form: 'span', value: `${waitedMs}`, ms: waitedMs } as const]),
    fact('inference_others', 'text', `${evidence.last_day_count} / ${evidence.last_month_count}`),
    ...tokens('inference_nearest', nearest?.distance_base_units ?? null, known),
    ...(is_dedicated === null ? [] : [fact('inference_wallet', 'code', is_dedicated ? 'dedicated' : 'shared')]),
  ];
}

function ofBlock(place: Pick<SightedTransfer, 'block_number' | 'block_hash' | 'block_time'>): readonly EvidenceFact[] {
  return [
    fact('block', 'text', String(place.block_number)),
    fact('block_hash', 'hash', place.block_hash),
    fact('block_time', 'time', place.block_time),
  ];
}

function ofNamed(transferId: string, { transfers }: KnownFacts): readonly EvidenceFact[] {
  const transfer = transfers.get(transferId);
  return [
    fact('transfer', 'transfer', transferId),
    ...(transfer ? [fact('transaction', 'hash', transfer.tx_hash)] : []),
  ];
}

function ofDepth(
  data: { readonly transfer_id: string; readonly head_number: number; readonly block_hash?: string },
  known: KnownFacts,
): readonly EvidenceFact[] {
  const { transfer_id: id, head_number, block_hash } = data;
  const seen = known.transfers.get(id);
  return [
    ...(seen ? [fact('confirmations', 'text', String(head_number - seen.block_number))] : []),
    ...(known.quote ? [fact('confirmations_asked', 'text', String(known.quote.required_confirmations))] : []),
    fact('head', 'text', String(head_number)),
    ...(seen ? [fact('block', 'text', String(seen.block_number))] : []),
    ...(block_hash === undefined ? [] : [fact('block_hash', 'hash', block_hash)]),
    ...ofNamed(id, known),
  ];
}

function ofReceived(received: Received, known: KnownFacts): readonly EvidenceFact[] {
  return [
    ...tokens('received', received.received_base_units, known),
    ...(known.terms ? [money('credited', received.received_minor_units, known.terms)] : []),
  ];
}

function ofRemainder(remainder: Remainder | null, known: KnownFacts): readonly EvidenceFact[] {
  if (remainder === null) return [];
  return [
    ...tokens('remainder', remainder.due_base_units, known),
    fact('slot', 'text', remainder.slot),
    fact('reserved_until', 'time', remainder.reserved_until),
  ];
}

type PlainForm = Exclude<EvidenceFact['form'], 'token' | 'money' | 'observation' | 'span'>;

function fact(name: FactName, form: PlainForm, value: string): EvidenceFact {
  return { name, form, value };
}

function tokenFact(name: FactName, baseUnits: string, token: Token) {
  const value = formatTokenAmount(token, baseUnits);
  return { name, form: 'token', value, asset: token.asset, price: null } as const;
}

function tokens(name: FactName, baseUnits: string | null, { quote }: KnownFacts): readonly EvidenceFact[] {
  return baseUnits === null || quote === null ? [] : [tokenFact(name, baseUnits, TOKENS[quote.token_id])];
}

function money(name: FactName, value: string, { currency, currency_decimals: decimals }: Money): EvidenceFact {
  return { name, form: 'money', value, currency, decimals };
}
