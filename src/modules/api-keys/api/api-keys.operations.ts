import type { OperationTable } from '../../../platform/http/openapi-operation';
import { listOf } from '../../../platform/http/openapi-schema';
import { API_KEY, ISSUED_API_KEY } from './api-key.schema';

export const API_KEY_OPERATIONS = {
  mint: {
    id: 'createApiKey',
    summary: 'Mint a key in the mode of the calling key; its secret is shown this once',
    answer: ISSUED_API_KEY,
    refuses: [
      'invalid_key_kind',
      'invalid_scope',
      'invalid_timestamp',
      'insufficient_scope',
      'publishable_scope_forbidden',
    ],
  },
  list: {
    id: 'listApiKeys',
    summary: 'List the keys of this mode, newest first, without their secrets',
    answer: listOf(API_KEY),
    paged: true,
    refuses: [],
  },
  get: {
    id: 'getApiKey',
    summary: 'Retrieve a key, without its secret',
    answer: API_KEY,
    refuses: ['resource_missing'],
  },
  rotate: {
    id: 'rotateApiKey',
    summary: 'Answer a successor with its secret; the old key works for 7 days more',
    answer: ISSUED_API_KEY,
    refuses: ['resource_missing', 'invalid_state_transition', 'insufficient_scope'],
  },
  revoke: {
    id: 'revokeApiKey',
    summary: 'End a key at once and for good',
    answer: API_KEY,
    refuses: ['resource_missing'],
  },
} as const satisfies OperationTable;
