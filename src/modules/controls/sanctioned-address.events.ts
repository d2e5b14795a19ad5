import type { NetworkId } from '../../vocabulary/networks';

/** The place of an entry: one list names an address once on each network. */
export type SanctionsPlace = { readonly network: NetworkId; readonly list_source: string };

/** Payments from the address are held from the next screening on. */
type SanctionsEntryAdded = {
  readonly type: 'SanctionsEntryAdded';
  readonly data: SanctionsPlace & { readonly address: string; readonly reference: string };
};

type SanctionsEntryRemoved = {
  readonly type: 'SanctionsEntryRemoved';
  readonly data: SanctionsPlace & { readonly reason: string };
};

export type SanctionedAddressEvent = SanctionsEntryAdded | SanctionsEntryRemoved;
