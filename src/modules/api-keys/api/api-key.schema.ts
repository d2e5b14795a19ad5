import { SCOPES } from '../../../kernel/scopes';
import {
  arrayOf,
  constant,
  id,
  MODE,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { KEY_KINDS } from '../api-key.events';

const FIELDS = {
  id: id('key'),
  object: constant('api_key'),
  mode: MODE,
  kind: oneOfTexts(KEY_KINDS, 'Secret, publishable or restricted'),
  name: nullable(text('Your name for it', 'Till')),
  scopes: arrayOf(oneOfTexts(SCOPES)),
  last4: text('The last four characters of the secret', 'k3Qz'),
  status: oneOfTexts(['active', 'rotating', 'expired', 'revoked']),
  created: timestamp(),
  expires_at: nullable(timestamp()),
  last_used_at: nullable(timestamp()),
  revoked_at: nullable(timestamp()),
};

export const API_KEY = resource('api_key', 'A key, without its secret', FIELDS);

export type ApiKeyResource = Answer<typeof API_KEY>;

export const ISSUED_API_KEY = resource('issued_api_key', 'A key as it is made', {
  ...FIELDS,
  secret: text('The key itself, shown this once', 'rk_test_…'),
});

export type IssuedApiKeyResource = Answer<typeof ISSUED_API_KEY>;
