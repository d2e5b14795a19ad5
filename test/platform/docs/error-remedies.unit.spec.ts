import { ERROR_CATALOGUE, type ErrorCode } from '../../../src/vocabulary/error-catalogue';
import { RETRY_ADVICE, retryAdvice } from '../../../src/platform/docs/retry-advice';
import { TOKEN_IDS } from '../../../src/vocabulary/tokens';
import { ERROR_REMEDIES } from '../../../src/platform/docs/error-remedies';

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

it('has one remedy for each code of the catalogue, and for no other', () => {
  expect(Object.keys(ERROR_REMEDIES).sort()).toEqual([...CODES].sort());
});

it.each(CODES)('says in one line what to do about %s, beyond what it means', code => {
  const remedy = ERROR_REMEDIES[code];
  expect(remedy).toMatch(/^\S[^\n]{15,198}[.!?]$/);
  expect(remedy).not.toBe(ERROR_CATALOGUE[code].title);
});

it('names each token id where an asset symbol was sent', () => {
  expect(ERROR_REMEDIES.asset_token_mismatch.match(/\b[a-z]+-[a-z]+\b/g)).toEqual(TOKEN_IDS);
});

it('advises on trying again by type, save where the code says otherwise', () => {
  expect(retryAdvice('wallet_not_verified')).toBe(RETRY_ADVICE.payment_error);
  expect(retryAdvice('insufficient_rate_sources')).toBe(RETRY_ADVICE.api_error);
  expect(retryAdvice('idempotency_key_reuse')).toBe(RETRY_ADVICE.idempotency_error);
  expect(retryAdvice('parameter_missing')).toBe(RETRY_ADVICE.invalid_request_error);
  expect(retryAdvice('rate_limit')).toContain('Retry-After');
  expect(retryAdvice('idempotency_response_unavailable')).toMatch(/^No/);
});
