import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import type { SanctionedAddressEvent, SanctionsPlace } from './sanctioned-address.events';
import type { CheckedEntry } from './sanctions-entry';

/** The lists that name the address now. */
type SanctionedAddress = readonly SanctionsPlace[];

type SanctionedAddressCommand =
  | { readonly type: 'add'; readonly entry: CheckedEntry }
  | { readonly type: 'remove'; readonly place: SanctionsPlace; readonly reason: string };

function decide(command: SanctionedAddressCommand, places: SanctionedAddress): readonly SanctionedAddressEvent[] {
  const { type } = command;
  switch (type) {
    case 'add': {
      const { id: _, ...data } = command.entry;
      if (places.some(each => isSamePlace(each, data))) throw refuse('duplicate_sanctions_entry');
      return [{ type: 'SanctionsEntryAdded', data }];
    }
    case 'remove': {
      const { place, reason } = command;
      if (!places.some(each => isSamePlace(each, place))) return [];
      return [{ type: 'SanctionsEntryRemoved', data: { ...place, reason } }];
    }
    default:
      return unreachable(type);
  }
}

function evolve(places: SanctionedAddress, { type, data }: SanctionedAddressEvent): SanctionedAddress {
  const others = places.filter(each => !isSamePlace(each, data));
  if (type === 'SanctionsEntryRemoved') return others;
  return [...others, { network: data.network, list_source: data.list_source }];
}

/** Whether two entries of one address are the same one. */
export function isSamePlace(one: SanctionsPlace, other: SanctionsPlace): boolean {
  return one.network === other.network && one.list_source === other.list_source;
}

export const sanctionedAddresses: Aggregate<SanctionedAddress, SanctionedAddressCommand, SanctionedAddressEvent> = {
  category: 'sanctioned_address',
  notFound: null,
  initial: [],
  decide,
  evolve,
};
