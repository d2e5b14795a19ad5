import { refuse, type ErrorCode } from '../../src/vocabulary/errors';
import { faultText } from '../../web/words/form-faults';
import { Languages } from '../../web/words/languages';
import { FILES } from './message-files';

const english = new Languages(FILES).chosen('en', undefined);
type Place = Parameters<typeof faultText>[1];
const textOf = (code: ErrorCode, place: Place) =>
  faultText(refuse(code), place, english, { shop: 'Corner Shop', network: 'Base' });

test.each<[Place, ErrorCode, string]>([
  ['checkout', 'payments_paused', 'Choose another one'],
  ['pay', 'payments_paused', 'Corner Shop cannot take a payment at this moment'],
  ['invoices', 'payments_paused', 'Corner Shop cannot take a payment at this moment'],
  ['invoices', 'currency_not_quotable', 'Corner Shop cannot take a payment at this moment'],
  ['invoices', 'amount_too_small', 'too small to be paid in this way'],
  ['invoices', 'payment_underpaid', 'The invoice has changed meanwhile'],
  ['pay', 'invalid_state_transition', 'The link has changed meanwhile'],
  ['checkout', 'invalid_state_transition', 'The payment has changed meanwhile'],
  ['invoices', 'rate_limit', 'Too many tries'],
  ['invoices', 'internal_error', 'That did not work'],
])('a form of %s that is refused with %s says so', (place, code, words) => {
  expect(textOf(code, place)).toContain(words);
});

test('the field tells what the code alone does not', () => {
  const refusal = refuse('invalid_state_transition', { param: 'tx_hash' });
  expect(faultText(refusal, 'checkout', english, { shop: 'Corner Shop' })).toContain('no other one can be');
});
