import { isoTime } from '../../../src/kernel/clock';
import type { DecisionContext } from '../../../src/kernel/decider';
import { paymentLinks, standingOf, type LinkTerms } from '../../../src/modules/payment-links/payment-link.decider';
import type { LinkFacts, PaymentLinkEvent } from '../../../src/modules/payment-links/payment-link.events';
import { given } from '../../support/given-when-then';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const END = '2026-11-02T12:00:00.000Z';
const CONTEXT: DecisionContext = { actor: { role: 'merchant', type: 'api_key', id: 'key_1' }, now: NOON };
const PAYMENT = 'pi_00000000000000000000000001';

const FIXED: LinkTerms = {
  kind: 'fixed',
  currency: 'EUR',
  currency_decimals: 2,
  amount_minor_units: '2500',
  min_minor_units: null,
  max_minor_units: null,
  description: 'A ticket',
  metadata: { order: '42' },
  success_url: null,
  max_uses: null,
  expires_at: null,
};
const OPEN: LinkTerms = {
  ...FIXED,
  kind: 'open',
  amount_minor_units: null,
  min_minor_units: '500',
  max_minor_units: '50000',
};

const linkOf = (terms: LinkTerms, changes: Partial<LinkFacts> = {}): LinkFacts => ({
  ...terms,
  created_at: isoTime(NOON),
  use_count: 0,
  deactivated_at: null,
  ...changes,
});
const created = (terms: LinkTerms): PaymentLinkEvent => ({
  type: 'PaymentLinkCreated',
  data: { link: linkOf(terms) },
});
const use = (amountMinorUnits: bigint | null = null, defaultSuccessUrl: string | null = null) =>
  ({ type: 'use', paymentIntent: PAYMENT, amountMinorUnits, defaultSuccessUrl }) as const;
const used = (terms: LinkTerms, use_count: number, amount = '2500', success_url: string | null = null) =>
  ({
    type: 'PaymentLinkUsed',
    data: { link: linkOf(terms, { use_count }), payment_intent: PAYMENT, amount_minor_units: amount, success_url },
  }) as const satisfies PaymentLinkEvent;
const deactivated: PaymentLinkEvent = {
  type: 'PaymentLinkDeactivated',
  data: { link: linkOf(FIXED, { deactivated_at: isoTime(NOON) }) },
};

describe('a payment link', () => {
  it('is created once, and its end is kept in one form', () => {
    given(paymentLinks, [])
      .when({ type: 'create', terms: FIXED }, CONTEXT)
      .then([created(FIXED)]);
    given(paymentLinks, [created(FIXED)])
      .when({ type: 'create', terms: FIXED }, CONTEXT)
      .then([]);
    given(paymentLinks, [])
      .when({ type: 'create', terms: { ...OPEN, expires_at: '2026-11-02T12:00:00Z' } }, CONTEXT)
      .then([created({ ...OPEN, expires_at: END })]);
  });

  it.each<[string, string]>([
    ['2026-11-01T12:00:00.000Z', 'parameter_invalid'],
    ['2026-11-01T11:59:59.999Z', 'parameter_invalid'],
    ['tomorrow', 'invalid_timestamp'],
  ])('ends ahead: %s is %s', (expires_at, code) => {
    given(paymentLinks, [])
      .when({ type: 'create', terms: { ...FIXED, expires_at } }, CONTEXT)
      .thenRefused(code as 'parameter_invalid', 'expires_at');
  });

  it('counts a use, and tells all that its payment needs', () => {
    given(paymentLinks, [created(FIXED)])
      .when(use(), CONTEXT)
      .then([used(FIXED, 1)]);
    given(paymentLinks, [created(FIXED), used(FIXED, 1)])
      .when(use(), CONTEXT)
      .then([used(FIXED, 2)]);
    // The newest event is enough: a link that was used often is read from there.
    given(paymentLinks, [used(FIXED, 99_999)])
      .when(use(), CONTEXT)
      .then([used(FIXED, 100_000)]);
  });

  it('has its own page after checkout, otherwise the account’s', () => {
    const own = { ...FIXED, success_url: 'https://shop.example/own' };
    const standard = 'https://shop.example/all';
    given(paymentLinks, [created(own)])
      .when(use(null, standard), CONTEXT)
      .then([used(own, 1, '2500', own.success_url)]);
    given(paymentLinks, [created(FIXED)])
      .when(use(null, standard), CONTEXT)
      .then([used(FIXED, 1, '2500', standard)]);
  });

  it.each<[bigint | null, string]>([
    [500n, 'PaymentLinkUsed'],
    [50_000n, 'PaymentLinkUsed'],
    [499n, 'amount_too_small'],
    [50_001n, 'amount_too_large'],
    [null, 'parameter_missing'],
  ])('with an open amount takes %s: %s', (amount, outcome) => {
    const decided = given(paymentLinks, [created(OPEN)])
      .when(use(amount), CONTEXT)
      .outcome();
    expect(decided).toStrictEqual(outcome === 'PaymentLinkUsed' ? [outcome] : outcome);
  });

  it('with a fixed amount takes no other one', () => {
    given(paymentLinks, [created(FIXED)])
      .when(use(2_500n), CONTEXT)
      .thenRefused('parameter_invalid', 'amount');
  });

  it('is spent after its last use, and not before', () => {
    const twice = { ...FIXED, max_uses: 2 };
    given(paymentLinks, [created(twice), used(twice, 1)])
      .when(use(), CONTEXT)
      .then([used(twice, 2)]);
    given(paymentLinks, [created(twice), used(twice, 1), used(twice, 2)])
      .when(use(), CONTEXT)
      .thenRefused('invalid_state_transition');
  });

  it('ends at its end, by the clock of its merchant', () => {
    const ending = { ...FIXED, expires_at: END };
    const at = (now: number) =>
      given(paymentLinks, [created(ending)])
        .when(use(), { ...CONTEXT, now })
        .outcome();
    expect(at(Date.parse(END) - 1)).toStrictEqual(['PaymentLinkUsed']);
    expect(at(Date.parse(END))).toBe('invalid_state_transition');
  });

  it('is deactivated once, and opens no payment then', () => {
    given(paymentLinks, [created(FIXED)])
      .when({ type: 'deactivate' }, CONTEXT)
      .then([deactivated]);
    given(paymentLinks, [created(FIXED), deactivated])
      .when({ type: 'deactivate' }, CONTEXT)
      .then([]);
    given(paymentLinks, [created(FIXED), deactivated])
      .when(use(), CONTEXT)
      .thenRefused('invalid_state_transition');
  });

  it('that never was is refused', () => {
    given(paymentLinks, []).when({ type: 'deactivate' }, CONTEXT).thenRefused('resource_missing');
    given(paymentLinks, []).when(use(), CONTEXT).thenRefused('resource_missing');
  });

  it('tells why it opens no payment: the merchant’s word comes first, the limit last', () => {
    const all = { ...FIXED, max_uses: 1, expires_at: END };
    const spent = linkOf(all, { use_count: 1 });
    const after = Date.parse(END);
    expect(standingOf({ ...spent, deactivated_at: isoTime(NOON) }, after)).toBe('inactive');
    expect(standingOf(spent, after)).toBe('ended');
    expect(standingOf(spent, after - 1)).toBe('spent');
    expect(standingOf(linkOf(all), after - 1)).toBe('open');
  });
});
