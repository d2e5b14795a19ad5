import { SCOPES } from '../../../vocabulary/scopes';
import { canonicalTimestamp } from '../../../kernel/timestamp';
import type { BodyCheck } from '../../../platform/http/caller';
import { TextList } from '../../../platform/http/fields/part-fields';
import { OneOf, Text, Timestamp } from '../../../platform/http/fields/text-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  arrayOf,
  constant,
  id,
  listOf,
  MODE,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { KEY_KINDS } from '../../../vocabulary/key-kinds';
import { KEY_NAME } from '../api-key.decider';
import { COVERED_PERMISSIONS } from '../covered-permissions';

export class MintApiKeyDto {
  @OneOf(KEY_KINDS, { code: 'invalid_key_kind', description: 'Secret, publishable or restricted.' })
  kind!: string;

  @Text({ presence: 'nullable', ...KEY_NAME })
  name?: string | null;

  @TextList({
    values: SCOPES,
    max: SCOPES.length,
    code: 'invalid_scope',
    description: 'Each among the scopes of the calling key.',
  })
  scopes!: string[];

  @Timestamp({
    presence: 'nullable',
    code: 'invalid_timestamp',
    description: 'No later than the end of the calling key, if that has one',
    example: '2027-11-21T12:00:00.000Z',
  })
  expires_at?: string | null;
}

/** The command checks whether the end still lies ahead, since a replayed request comes later. */
export const checkEnd: BodyCheck<MintApiKeyDto> = ({ expires_at: end = null }) => {
  if (end !== null) canonicalTimestamp(end, 'expires_at');
};

const FIELDS = {
  id: id('key'),
  object: constant('api_key'),
  mode: MODE,
  kind: oneOfTexts(KEY_KINDS, 'Secret, publishable or restricted'),
  name: nullable(text('Your name for it', 'Till')),
  scopes: arrayOf(oneOfTexts(SCOPES)),
  denied: arrayOf(
    oneOfTexts(COVERED_PERMISSIONS, 'An act that the key may not do, whatever its scopes, as its maker may not'),
  ),
  last4: text('The last four characters of the secret', 'k3Qz'),
  status: oneOfTexts(['active', 'rotating', 'expired', 'revoked']),
  created: timestamp(),
  expires_at: nullable(timestamp()),
  last_used_at: nullable(timestamp()),
  revoked_at: nullable(timestamp()),
};

const API_KEY = resource('api_key', 'A key, without its secret', FIELDS);

export type ApiKeyResource = Answer<typeof API_KEY>;

const ISSUED_API_KEY = resource('issued_api_key', 'A key as it is made', {
  ...FIELDS,
  secret: text('The key itself, shown this once', 'rk_test_…'),
});

export type IssuedApiKeyResource = Answer<typeof ISSUED_API_KEY>;

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
    summary: 'End a key at once and for good; a key ends none that has more scopes',
    answer: API_KEY,
    refuses: ['resource_missing', 'insufficient_scope'],
  },
} as const satisfies OperationTable;
