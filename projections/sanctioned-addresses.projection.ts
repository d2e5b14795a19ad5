import { streamId, type Projection } from '../src/kernel/projection';
import { isSamePlace } from '../src/modules/controls/sanctioned-address.decider';
import type { SanctionedAddressEvent, SanctionsPlace } from '../src/modules/controls/sanctioned-address.events';
import {
  sanctionedAddressesReadModel,
  type SanctionedAddressDocument,
} from '../src/modules/controls/sanctioned-addresses.read-model';

export const sanctionedAddressesProjection: Projection<SanctionedAddressDocument, SanctionedAddressEvent> = {
  ...sanctionedAddressesReadModel,
  categories: ['sanctioned_address'],
  mirrors: true,
  key: streamId,
  on: {
    SanctionsEntryAdded: (doc, { data, metadata }): SanctionedAddressDocument => {
      const { occurred_at: at } = metadata;
      const entries = [...othersOf(doc, data), { ...data, added_at: at }];
      return { is_listed: true, entries, created: doc?.created ?? at };
    },
    SanctionsEntryRemoved: (doc, { data }) => {
      const entries = othersOf(doc, data);
      return doc && { ...doc, is_listed: entries.length > 0, entries };
    },
  },
};

function othersOf(doc: SanctionedAddressDocument | null, place: SanctionsPlace): SanctionedAddressDocument['entries'] {
  return doc?.entries.filter(each => !isSamePlace(each, place)) ?? [];
}
