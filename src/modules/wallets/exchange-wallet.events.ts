import type { NetworkId } from '../../vocabulary/networks';

export const EXCHANGE_ROLES = ['hot', 'cold', 'deposit', 'collection'] as const;
type ExchangeRole = (typeof EXCHANGE_ROLES)[number];

export const LISTING_CONFIDENCES = ['low', 'medium', 'high'] as const;

/** The list's row on an address from now on; the newest row counts. An inactive row is kept and refuses nothing. */
export type ExchangeWalletListed = {
  readonly type: 'ExchangeWalletListed';
  readonly data: {
    readonly network_id: NetworkId;
    /** EIP-55 on bnb and base, base58check on tron. */
    readonly address: string;
    /** The exchange or custodian that holds the address's key. */
    readonly entity: string;
    readonly role: ExchangeRole;
    readonly source: string;
    readonly source_ref: string | null;
    /** The time when the source listed the address. */
    readonly added_at: string;
    readonly confidence: (typeof LISTING_CONFIDENCES)[number];
    readonly active: boolean;
  };
};
