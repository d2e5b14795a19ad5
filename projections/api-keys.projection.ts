import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { ApiKeyEvent } from '../src/modules/api-keys/api-key.events';
import { apiKeysReadModel, type ApiKeyDocument } from '../src/modules/api-keys/api-keys.read-model';

type Doc = ApiKeyDocument;

type On<T extends ApiKeyEvent['type']> = RecordedEvent<Extract<ApiKeyEvent, { readonly type: T }>>;

export const apiKeysProjection: Projection<ApiKeyDocument> = {
  ...apiKeysReadModel,
  categories: ['api_key'],
  mirrors: true,
  key: streamId,
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
