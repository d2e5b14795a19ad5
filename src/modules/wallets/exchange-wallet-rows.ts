import { z } from 'zod';
import { isoTime, parseIsoTime } from '../../kernel/clock';
import { isRefusal } from '../../vocabulary/errors';
import { NETWORK_IDS } from '../../vocabulary/networks';
import { canonicalAddress } from './address';
import { exchangeWalletId } from './exchange-wallet.decider';
import { EXCHANGE_ROLES, LISTING_CONFIDENCES, type ExchangeWalletListed } from './exchange-wallet.events';

/** Public label lists hold some thousands of addresses a network. */
export const MAX_ROWS = 100_000;

const line = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^\P{Cc}+$/u, 'must have no control characters');

const row = z.strictObject({
  network: z.enum(NETWORK_IDS),
  address: z.string(),
  entity: line(100),
  role: z.enum(EXCHANGE_ROLES),
  source: line(200),
  source_ref: line(500).nullable(),
  added_at: z.union([z.iso.date(), z.iso.datetime()], 'must be an ISO-8601 date, or time in UTC'),
  confidence: z.enum(LISTING_CONFIDENCES),
  active: z.boolean(),
});

export const ROW_FIELDS: readonly string[] = Object.keys(row.shape);

/** `row` counts from 1. */
export type RowFault = { readonly row: number; readonly problem: string };

type ReadRows =
  { readonly listings: readonly ExchangeWalletListed['data'][] } | { readonly faults: readonly RowFault[] };

/** Every row as it is listed, or the fault of each bad row: a shape, a checksum, an address that an earlier row has. */
export function readExchangeRows(rows: readonly unknown[]): ReadRows {
  const listings: ExchangeWalletListed['data'][] = [];
  const faults: RowFault[] = [];
  const firstRows = new Map<string, number>();
  rows.forEach((each, index) => {
    const number = index + 1;
    const listing = listingOf(each);
    if (typeof listing === 'string') return void faults.push({ row: number, problem: listing });
    const id = exchangeWalletId(listing.network_id, listing.address);
    const first = firstRows.get(id);
    if (first !== undefined) return void faults.push({ row: number, problem: `address: row ${first} has it already` });
    firstRows.set(id, number);
    listings.push(listing);
  });
  return faults.length > 0 ? { faults } : { listings };
}

/** The row in its stored form, or the fault in it. */
function listingOf(value: unknown): ExchangeWalletListed['data'] | string {
  const parsed = row.safeParse(value);
  if (!parsed.success) return parsed.error.issues.map(describe).join('; ');
  const { network, address, added_at, ...rest } = parsed.data;
  try {
    const canonical = canonicalAddress(network, address);
    return { network_id: network, address: canonical, added_at: isoTime(parseIsoTime(added_at)), ...rest };
  } catch (error) {
    if (!isRefusal(error, 'invalid_address')) throw error;
    return `address: is no address of ${network}, or its checksum is wrong`;
  }
}

function describe({ path, message }: z.core.$ZodIssue): string {
  return path.length > 0 ? `${path.join('.')}: ${message}` : message;
}
