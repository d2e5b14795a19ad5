import { createHash } from 'node:crypto';
import type { Document, Documents } from '../../src/kernel/ports/documents';
import { isoTime } from '../../src/kernel/clock';
import type { PaymentIntentDocument } from '../../src/modules/payment-intents/payment-intents.read-model';
import {
  addressKey,
  amountKey,
  dayOf,
  paymentIntentsReadModel,
} from '../../src/modules/payment-intents/payment-intents.read-model';
import type { Terms } from '../../src/modules/payment-intents/payment-intent.state';
import { timedId } from '../../src/vocabulary/ids';
import { termsOf } from './payment-terms';

const FIRST_MS = Date.UTC(2026, 9, 1);
const APART_MS = 1_000;
const WALLET = 'wal_00000000000000000000000000';
const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const PER_WRITE = 1_000;

type Owner = { readonly merchantId: string; readonly mode?: 'test' | 'live' };

function idOf(prefix: 'pi' | 'tr', place: number, { merchantId }: Owner): string {
  const bytes = createHash('sha256').update(`${merchantId} ${place}`).digest().subarray(0, 10);
  return timedId(prefix, FIRST_MS + place * APART_MS, bytes);
}

export const exportedPaymentId = (place: number, owner: Owner): string => idOf('pi', place, owner);
export const createdAt = (place: number): string => isoTime(FIRST_MS + place * APART_MS);

/** A confirmed payment of 25.00 EUR with its transfer: the one in that place of time, a second after the one before. */
export function paymentDocument(
  place: number,
  owner: Owner,
  terms: Partial<Terms> = {},
): Document<PaymentIntentDocument> {
  const { merchantId, mode = 'test' } = owner;
  const created = createdAt(place);
  const whole = termsOf(terms);
  const transfer = {
    transfer_id: idOf('tr', place, owner),
    tx_hash: `0x${place.toString(16).padStart(64, '0')}`,
    ordinal: 0,
    from: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
    value_base_units: '27153040',
    block_number: 1_024 + place,
    block_hash: `0x${'b'.repeat(64)}`,
    block_time: created,
    attribution: 'exact',
  } as const;
  const quote = {
    token_id: 'usdc-base',
    network_id: 'base',
    wallet_id: WALLET,
    address: ADDRESS,
    price_base_units: '27153000',
    due_base_units: '27153040',
    slot: 'base:1',
    rate: '1.0861216',
    observations: [],
    quoted_at: created,
    quote_expires_at: created,
    reserved_until: created,
    tolerance_bps: 0,
    required_confirmations: 12,
    finality_tier: 'standard',
    dedicated: false,
  } as const;
  const ledger = {
    transfers: { [transfer.transfer_id]: { ...transfer, final: true, sighting: 1 } },
    sightings: 1,
    isFull: false,
    inferred: null,
    screened: {},
    hold: null,
    review: null,
    remainder: null,
  };
  return {
    id: idOf('pi', place, owner),
    version: 8,
    body: {
      merchant_id: merchantId,
      mode,
      status: 'confirmed',
      network_id: 'base',
      token_id: quote.token_id,
      address_key: addressKey(quote.address),
      quoted_at: quote.quoted_at,
      quoted_day: dayOf(quote.quoted_at),
      due_key: amountKey(quote.due_base_units),
      fiat_key: amountKey('25000000'),
      currency: whole.currency,
      amount_minor_units: whole.amount_minor_units,
      followed: false,
      counted_block: transfer.block_number,
      needs_decision: null,
      hold_open: null,
      created,
      origin: null,
      state: { status: 'confirmed', terms: whole, quote, ledger },
      received_minor_units: '2500',
      received_base_units: '27153040',
      surplus_base_units: null,
      transfers: [{ ...transfer, status: 'credited' }],
      review: null,
      hold: null,
      failure_reason: null,
      canceled_at: null,
      confirmed_at: created,
      first_paid_at: transfer.block_time,
      payer: transfer.from,
      remainder_day: null,
      remainder_key: null,
      remainder_until: null,
    },
  };
}

/** Puts so many payments straight into the documents, with an empty log behind them. */
export async function putPayments(
  documents: Documents,
  owner: Owner,
  count: number,
  terms: Partial<Terms> = {},
): Promise<void> {
  const { name, indexes } = paymentIntentsReadModel;
  const collection = await documents.open<PaymentIntentDocument>({ name, indexes });
  for (let from = 0; from < count; from += PER_WRITE) {
    const places = Array.from({ length: Math.min(PER_WRITE, count - from) }, (_, index) => from + index);
    await collection.putAllNewer(places.map(place => paymentDocument(place, owner, terms)));
  }
}
