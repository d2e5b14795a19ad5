import type { ReadModel } from '../../kernel/ports/read-models';
import type { SanctionsPlace } from './sanctioned-address.events';

/** The entries of one address, by its 20 bytes as hex; none where all were removed. */
export type SanctionedAddressDocument = {
  readonly is_listed: boolean;
  readonly entries: readonly (SanctionsPlace & {
    readonly address: string;
    readonly reference: string;
    readonly added_at: string;
  })[];
  /** The moment of the first entry. */
  readonly created: string;
};

export const sanctionedAddressesReadModel: ReadModel<SanctionedAddressDocument> = {
  name: 'sanctioned_addresses',
  version: 1,
  indexes: { by_listed: ['is_listed', 'created', 'id'] },
};
