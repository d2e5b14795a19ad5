import type { ReadModel } from '../../kernel/ports/read-models';
import type { Permission } from '../../vocabulary/roles';
import type { Scope } from '../../vocabulary/scopes';
import type { KeyKind } from '../../vocabulary/key-kinds';

export type ApiKeyDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly kind: KeyKind;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  /** The permissions that the key lacks, whatever its scopes. */
  readonly withheld: readonly Permission[];
  /** SHA-256 of the key's text, as hex. */
  readonly key_hash: string;
  readonly last4: string;
  /** Readers tell by their own clock whether a key has expired. */
  readonly status: 'active' | 'rotating' | 'revoked';
  readonly successor: string | null;
  readonly created: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
};

export const apiKeysReadModel: ReadModel<ApiKeyDocument> = {
  name: 'api_keys',
  version: 2,
  indexes: { by_merchant: ['merchant_id', 'mode', 'created', 'id'], by_key_hash: ['key_hash'] },
};
