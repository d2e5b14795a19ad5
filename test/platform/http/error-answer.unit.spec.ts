import { errorBody } from '../../../src/platform/http/error-answer';
import { refuse } from '../../../src/vocabulary/errors';

const URLS = { docsUrl: 'https://pay.example/docs', dashboardUrl: 'https://pay.example/dashboard' };

it('names the failed check in the detail, where the refusal has one', () => {
  const refusal = refuse('passkey_rejected', { detail: { reason: 'user_not_verified' } });
  expect(errorBody(refusal, 'req_1', URLS).error).toMatchObject({
    code: 'passkey_rejected',
    detail: { reason: 'user_not_verified' },
  });
  expect(errorBody(refuse('passkey_malformed'), 'req_1', URLS).error).not.toHaveProperty('detail');
});
