import { streamId, type Projection } from '../src/kernel/projection';
import type { ApiKeyEvent } from '../src/modules/api-keys/api-key.events';
import { apiKeysReadModel, type ApiKeyDocument } from '../src/modules/api-keys/api-keys.read-model';

export const apiKeysProjection: Projection<ApiKeyDocument, ApiKeyEvent> = {
  ...apiKeysReadModel,
  categories: ['api_key'],
  mirrors: true,
  key: streamId,
  on: {
    ApiKeyMinted: (_, { data, metadata }): ApiKeyDocument => ({
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      kind: data.kind,
      name: data.name,
      scopes: data.scopes,
      withheld: [],
      key_hash: data.key_hash,
      last4: data.last4,
      status: 'active',
      successor: null,
      created: metadata.occurred_at,
      expires_at: data.expires_at,
      revoked_at: null,
    }),
    ApiKeyBounded: (doc, { data }) => doc && { ...doc, withheld: data.withheld },
    ApiKeyRotated: (doc, { data }) =>
      doc && { ...doc, status: 'rotating', successor: data.successor, expires_at: data.expires_at },
    ApiKeyRevoked: (doc, { metadata }) => doc && { ...doc, status: 'revoked', revoked_at: metadata.occurred_at },
  },
};
