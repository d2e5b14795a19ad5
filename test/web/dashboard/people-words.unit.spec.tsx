import type { Refusal } from '../../../src/vocabulary/errors';
import { refuse } from '../../../src/vocabulary/errors';
import { isSignInReason, SignInPage } from '../../../web/sign-in/sign-in.page';
import { inPeoplesWords, peopleFault } from '../../../web/words/people-faults';
import { renderedFor, textIn } from './rendered-dashboard';

it.each([
  ['unknown_session', 'Sign in to go on.'],
  ['session_expired', 'Your session has ended'],
  ['session_revoked', 'This device was signed out.'],
  ['session_ip_mismatch', 'Your network address has changed'],
  ['account_disabled', 'This account is disabled.'],
])('the page of signing in tells of %s', (ended, words) => {
  const reason = isSignInReason(ended) ? ended : null;
  expect(textIn(renderedFor(<SignInPage next="" reason={reason} />))).toContain(words);
});

it('takes no other code of the catalogue for a reason', () => {
  expect(['wallet_not_verified', 'internal_error', '', 'toString'].filter(isSignInReason)).toEqual([]);
});

it.each([
  [1, '1 second'],
  [30, '30 seconds'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [3_599, '60 minutes'],
  [7_200, '2 hours'],
  [86_399, '24 hours'],
])('of %i seconds that are to pass, people read %s', (retryAfterSeconds, words) => {
  const wait = `Too many tries. Wait ${words}, then try again.`;
  expect(peopleFault(refuse('rate_limit', { retryAfterSeconds }))).toBe(wait);
});

it('words a refusal for the script that shows it, and keeps everything else of it', async () => {
  const refusal = refuse('passkey_rejected', { param: 'credential', detail: { reason: 'user_not_verified' } });
  const worded = await inPeoplesWords(() => Promise.reject(refusal)).catch((error: unknown) => error as Refusal);
  expect(worded).toMatchObject({
    code: 'passkey_rejected',
    message: 'This passkey cannot be used here. Use another one, or another way to sign in.',
    param: 'credential',
    detail: { reason: 'user_not_verified' },
    retryAfterSeconds: null,
  });
  const bug = new Error('a bug');
  await expect(inPeoplesWords(() => Promise.reject(bug))).rejects.toBe(bug);
});
