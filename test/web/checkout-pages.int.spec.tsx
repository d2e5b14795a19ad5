import { CheckoutPage } from '../../web/checkout/checkout.page';
import { sentenceArguments } from '../../web/checkout/screens/checkout-props';
import { SCREENS, screenOf } from '../../web/checkout/screens/checkout-screen';
import { pageText } from '../../web/http/page-sender';
import type { CheckoutView } from '../../src/modules/checkout/queries/checkout-view';
import { VIEWS, viewOf } from './checkout-views';
import { factsIn } from './page-facts';

const PROPS = { formId: '0'.repeat(32), path: '/checkout/pi_1', fault: null, version: 'v1' };
const NAMING = {
  id: 'tc_01kb3x5q0g7h2m9c4r8v6t1zny',
  reference: '5550001234',
  kind: 'exchange_transfer',
  status: 'in_review',
  created: '2026-11-18T10:00:00.000Z',
} as const;

const textOf = (view: CheckoutView, code = 'en') =>
  pageText(factsIn(code), <CheckoutPage view={view} {...PROPS} />).replaceAll(/[\u2066-\u2069]/g, '');

test('each screen is that of one state', () => {
  expect(Object.keys(VIEWS)).toStrictEqual([...SCREENS]);
  for (const [name, view] of Object.entries(VIEWS)) expect(screenOf(view)).toBe(name);
});

test.each(SCREENS)('the screen %s has a title and its own sentence', name => {
  const { language } = factsIn('en');
  const view = VIEWS[name] ?? viewOf({});
  const sentence = language.say(`${name}.sentence`, sentenceArguments(view)).replaceAll(/[\u2066-\u2069]/g, '');
  const text = textOf(view);
  expect(text).toContain(`<h1 id="title">${language.say(`${name}.title`)}</h1>`);
  expect(text).toContain(sentence);
});

test.each(['expired', 'failed'] as const)('the screen %s leads on, or says who does', name => {
  const asks = 'ask Northwind Books for a new payment page';
  const view = VIEWS[name] ?? viewOf({});
  expect(textOf({ ...view, mayRestart: false, restartedAs: null })).toContain(asks);
  expect(textOf({ ...view, mayRestart: true, restartedAs: null })).not.toContain(asks);
});

test.each(['expired', 'failed', 'canceled', 'confirmed'] as const)('the screen %s leads back to an invoice', name => {
  const view = VIEWS[name] ?? viewOf({});
  const text = textOf({ ...view, mayRestart: false, payment: { ...view.payment, invoice: 'inv_1' } });
  expect(text.slice(0, text.indexOf('id="order"'))).toContain('href="/invoices/inv_1');
  expect(text).not.toContain('for a new payment page');
  expect(textOf(view)).not.toContain('/invoices/');
});

test('a naming that was answered is no longer looked for', () => {
  const withNaming = (status: 'in_review' | 'attributed' | 'refused') => {
    const view = VIEWS['awaiting'] ?? viewOf({});
    return textOf({ ...view, payment: { ...view.payment, claims: [{ ...NAMING, status }] } });
  };
  expect(withNaming('in_review')).toContain(`/claims/${NAMING.id}`);
  expect(withNaming('attributed')).not.toContain(NAMING.id);
  expect(withNaming('refused')).not.toContain(NAMING.id);
});
