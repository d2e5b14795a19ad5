import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { ApiKeyEvent, KeyKind } from '../../src/modules/api-keys/api-key.events';
import type { Scope } from '../../src/kernel/scopes';

export type ApiKeyDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly kind: KeyKind;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the key's text, as hex. */
  readonly key_hash: string;
  readonly last4: string;
  /** Whether a key has expired is the reader's to tell, by its clock. */
  readonly status: 'active' | 'rotating' | 'revoked';
  readonly successor: string | null;
  readonly created: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
};

type Doc = ApiKeyDocument;
type On<T extends ApiKeyEvent['type']> = RecordedEvent<Extract<ApiKeyEvent, { readonly type: T }>>;

export const apiKeysProjection: Projection<ApiKeyDocument> = {
  name: 'api_keys',
  version: 1,
  categories: ['api_key'],
  mirrors: true,
  key: streamId,
  indexes: { by_merchant: ['merchant_id', 'mode', 'created', 'id'], by_key_hash: ['key_hash'] },
  on: {
    ApiKeyMinted: (_: Doc | null, { data, metadata }: On<'ApiKeyMinted'>): Doc => ({
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      kind: data.kind,
      name: data.name,
      scopes: data.scopes,
      key_hash: data.key_hash,
      last4: data.last4,
      status: 'active',
      successor: null,
      created: metadata.occurred_at,
      expires_at: data.expires_at,
      revoked_at: null,
    }),
    ApiKeyRotated: (doc: Doc | null, { data }: On<'ApiKeyRotated'>) =>
      doc && { ...doc, status: 'rotating', successor: data.successor, expires_at: data.expires_at },
    ApiKeyRevoked: (doc: Doc | null, { metadata }: On<'ApiKeyRevoked'>) =>
      doc && { ...doc, status: 'revoked', revoked_at: metadata.occurred_at },
  },
};
