import { z } from 'zod';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { NETWORK_IDS } from '../../vocabulary/networks';
import { addressBytes } from './address-bytes';

const MAX_ROWS = 100_000;
const MAX_TEXT_LENGTH = 500;

const text = z.string().min(1).max(MAX_TEXT_LENGTH);
const ENTRY = z.strictObject({ address: text, network: z.enum(NETWORK_IDS), list_source: text, reference: text });
const ENTRIES = z.array(ENTRY).max(MAX_ROWS);

/** `list_source` names the publisher of the list, such as `ofac-sdn`; `reference` is the place in that list. */
export type SanctionsEntry = z.infer<typeof ENTRY>;

/** Rows of the right shape. Throws Refusal invalid_sanctions_entry naming the first wrong row. */
export function checkedEntries(rows: unknown): readonly SanctionsEntry[] {
  const parsed = ENTRIES.safeParse(rows);
  if (parsed.success) return parsed.data;
  throw refuse('invalid_sanctions_entry', { message: z.prettifyError(parsed.error) });
}

/**
 * Listed addresses by their 20 bytes; where several rows list one address, the first row is named. Each Refusal names
 * the row. Throws Refusal invalid_sanctions_entry for a wrong shape, and invalid_sanctions_address for a failed
 * checksum. Throws Refusal duplicate_sanctions_entry for an address that one source lists twice for one network.
 */
export function indexEntries(rows: unknown): ReadonlyMap<string, SanctionsEntry> {
  const byAddress = new Map<string, SanctionsEntry>();
  const seen = new Set<string>();
  for (const [index, entry] of checkedEntries(rows).entries()) {
    const bytes = bytesOfRow(entry, index);
    const row = `${entry.list_source} ${entry.network}:${bytes}`;
    if (seen.has(row)) {
      throw refuse('duplicate_sanctions_entry', { param: `[${index}]`, message: `[${index}] repeats an earlier row.` });
    }
    seen.add(row);
    if (!byAddress.has(bytes)) byAddress.set(bytes, entry);
  }
  return byAddress;
}

function bytesOfRow(entry: SanctionsEntry, index: number): string {
  try {
    return addressBytes(entry.network, entry.address);
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    const message = `[${index}].address is not an address of ${entry.network}.`;
    throw refuse(cause.code, { param: `[${index}].address`, message, cause });
  }
}
