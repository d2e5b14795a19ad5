import { parseIsoTime } from '../../../kernel/clock';
import type { DomainEvent, RecordedEvent } from '../../../kernel/event';
import { recordedId } from '../../../vocabulary/ids';
import type { JsonObject } from '../../../vocabulary/json';
import { formatTokenAmount, TOKENS, type Token } from '../../../vocabulary/tokens';
import type { DetectedTransfer, PaymentIntentEvent, Received } from '../payment-intent.events';

/**
 * The public words for a payment's changes, each with its fields. The words are a contract: names inside the service
 * may change, and the words may not.
 */
export const CHANGES = {
  created: 'amount, currency, currency_decimals',
  method_selected: 'token_id, network_id, wallet_id, address, token_amount, rate, quote_expires_at',
  transfer_seen: 'transfer, tx_hash, log_index, from, token_amount, block_number, block_hash, block_time, attribution',
  transfer_moved: 'transfer, block_number, block_hash, block_time',
  transfer_dropped: 'transfer, reason',
  transfers_limited: 'limit',
  confirming: 'transfer, head_number',
  payer_screened: 'payer, verdict',
  deep_enough: 'transfer',
  settled: 'status, received_amount, received_token_amount, surplus_token_amount',
  remainder_asked: 'token_amount, reserved_until',
  accepted: 'note',
  resolved: 'resolution, note',
  hold_placed: 'payer',
  hold_released: '',
  hold_rejected: '',
  expired: 'quote_expires_at',
  canceled: '',
  failed: 'transfer, reason',
  lost: 'transfer',
} as const;

type Change = { readonly type: keyof typeof CHANGES; readonly data: JsonObject };

/** The facts of earlier events that words for later ones need. */
type Known = { readonly token: Token | null; readonly transfers: ReadonlyMap<string, DetectedTransfer> };

/** The id of a change, which follows from the recorded event: the pages of a history go on behind it. */
export function paymentEventId({ id, metadata }: RecordedEvent): string {
  return recordedId('pev', parseIsoTime(metadata.occurred_at), id);
}

/**
 * One change for each event, in the events' order. The reasons and sources of compliance are left out, and so are the
 * names of administrators: a merchant who reads them could warn the payer.
 */
export function changesOf(events: readonly DomainEvent[]): readonly Change[] {
  const transfers = new Map<string, DetectedTransfer>();
  let token: Token | null = null;
  return (events as readonly PaymentIntentEvent[]).map(event => {
    if (event.type === 'MethodSelected') token = TOKENS[event.data.token_id];
    const change = changeOf(event, { token, transfers });
    if (event.type === 'TransferDetected') transfers.set(event.data.transfer_id, event.data);
    if (event.type === 'TransferDropped') transfers.delete(event.data.transfer_id);
    return change;
  });
}

function changeOf({ type, data }: PaymentIntentEvent, { token, transfers }: Known): Change {
  const tokenAmount = (baseUnits: string): string | null => token && formatTokenAmount(token, baseUnits);
  const settled = (status: string, received: Received, surplus: string | null = null): Change => ({
    type: 'settled',
    data: {
      status,
      received_amount: received.received_minor_units,
      received_token_amount: tokenAmount(received.received_base_units),
      surplus_token_amount: surplus && tokenAmount(surplus),
    },
  });
  switch (type) {
    case 'PaymentIntentCreated': {
      const { amount_minor_units: amount, currency, currency_decimals } = data;
      return { type: 'created', data: { amount, currency, currency_decimals } };
    }
    case 'MethodSelected': {
      const { token_id, network_id, wallet_id, address, due_base_units, rate, quote_expires_at } = data;
      const token_amount = tokenAmount(due_base_units);
      const quoted = { token_id, network_id, wallet_id, address, token_amount, rate, quote_expires_at };
      return { type: 'method_selected', data: quoted };
    }
    case 'TransferDetected':
      if (isMoved(transfers.get(data.transfer_id), data)) return moved(data);
      return {
        type: 'transfer_seen',
        data: {
          transfer: data.transfer_id,
          tx_hash: data.tx_hash,
          log_index: data.ordinal,
          from: data.from,
          token_amount: tokenAmount(data.value_base_units),
          block_number: data.block_number,
          block_hash: data.block_hash,
          block_time: data.block_time,
          attribution: data.attribution === 'unrecorded' ? null : data.attribution,
        },
      };
    case 'TransferMoved':
      return moved(data);
    case 'TransferDropped':
      return { type: 'transfer_dropped', data: { transfer: data.transfer_id, reason: data.reason } };
    case 'TransferLimitReached':
      return { type: 'transfers_limited', data: { limit: data.limit } };
    case 'ConfirmationSeen':
      return { type: 'confirming', data: { transfer: data.transfer_id, head_number: data.head_number } };
    case 'PayerScreened':
      return { type: 'payer_screened', data: { payer: data.payer, verdict: data.verdict } };
    case 'DepthReached':
    case 'RemainderCredited':
      return { type: 'deep_enough', data: { transfer: data.transfer_id } };
    case 'PaymentConfirmed':
      return settled('confirmed', data, data.surplus_base_units);
    case 'PaymentUnderpaid':
      return settled('underpaid', data);
    case 'PaymentOverpaid':
      return settled('overpaid', data, data.surplus_base_units);
    case 'PaidLate':
      return settled('paid_late', data);
    case 'RemainderReserved':
      return {
        type: 'remainder_asked',
        data: { token_amount: tokenAmount(data.due_base_units), reserved_until: data.reserved_until },
      };
    case 'PaymentAccepted':
      return { type: 'accepted', data: { note: data.note } };
    case 'ReviewResolved':
      return { type: 'resolved', data: { resolution: data.resolution, note: data.note } };
    case 'HoldPlaced':
      return { type: 'hold_placed', data: { payer: data.payer } };
    case 'HoldReleased':
      return { type: 'hold_released', data: {} };
    case 'HoldRejected':
      return { type: 'hold_rejected', data: {} };
    case 'QuoteExpired':
      return { type: 'expired', data: { quote_expires_at: data.quote_expires_at } };
    case 'PaymentCanceled':
      return { type: 'canceled', data: {} };
    case 'PaymentFailed':
      return { type: 'failed', data: { transfer: data.transfer_id, reason: data.reason } };
    case 'SettledTransferLost':
      return { type: 'lost', data: { transfer: data.transfer_id } };
  }
}

/** A transfer that was inferred is seen once more where it is named: its attribution has changed, and not its block. */
function isMoved(known: DetectedTransfer | undefined, seen: DetectedTransfer): boolean {
  return known?.value_base_units === seen.value_base_units && known.block_hash !== seen.block_hash;
}

type Place = Pick<DetectedTransfer, 'transfer_id' | 'block_number' | 'block_hash' | 'block_time'>;

function moved({ transfer_id: transfer, block_number, block_hash, block_time }: Place): Change {
  return { type: 'transfer_moved', data: { transfer, block_number, block_hash, block_time } };
}
