import type { ReconciliationResource } from '../../../src/modules/books/api/reconciliations.contract';
import { DIFFERENCE_KINDS } from '../../../src/modules/books/balance.events';
import type { FeeEntryResource, FeeInvoiceResource } from '../../../src/modules/fees/api/fees.contract';
import type { InvoiceResource } from '../../../src/modules/invoices/api/invoices.contract';
import type { WholeMail } from '../../../src/modules/outbox/queries/outbox-reader';
import { USER_ROLES } from '../../../src/vocabulary/roles';
import { BooksPage } from '../../../web/dashboard/books/books.page';
import { FeeInvoicePage } from '../../../web/dashboard/fees/fee-invoice.page';
import { FeeInvoicesPage, FeesPage } from '../../../web/dashboard/fees/fees.page';
import { InvoicePage } from '../../../web/dashboard/invoices/invoice.page';
import { InvoicesPage } from '../../../web/dashboard/invoices/invoices.page';
import type { StandingLink } from '../../../web/dashboard/links/link-parts';
import { LinkPage } from '../../../web/dashboard/links/link.page';
import { LinksPage } from '../../../web/dashboard/links/links.page';
import { NewLinkPage } from '../../../web/dashboard/links/new-link.page';
import type { OpenedPayment } from '../../../web/dashboard/opened-payments';
import { MailPage } from '../../../web/dashboard/outbox/mail.page';
import { OutboxPage } from '../../../web/dashboard/outbox/outbox.page';
import { renderedFor, textIn } from './rendered-dashboard';

const HOSTILE = '<script>alert(1)</script>"\'&';
const AT = '2026-10-31T12:00:00.000Z';
const EURO = { currency: 'EUR', currency_decimals: 2 };
const LAST_PAGE = { next: null, isFirst: true, fault: null };

const link: StandingLink = {
  ...{ id: 'plink_1', object: 'payment_link', mode: 'test', active: true, kind: 'fixed', ...EURO, amount: '2500' },
  ...{ min_amount: null, max_amount: null, description: HOSTILE, metadata: { note: HOSTILE }, success_url: null },
  ...{ max_uses: 10, expires_at: null, use_count: 3, url: 'https://pay.example/pay/plink_1', created: AT },
  ...{ deactivated_at: null, standing: 'open' },
};
const invoice: InvoiceResource = {
  ...{ id: 'inv_1', object: 'invoice', mode: 'test', number: 'INV-000042', sequence: 42, status: 'draft', ...EURO },
  ...{ amount: '2975', subtotal: '2500', discount_total: '0', tax_total: '475', description: HOSTILE, notes: HOSTILE },
  customer: { name: HOSTILE, email: 'ada@example.com' },
  language: 'de',
  lines: [
    {
      ...{ description: HOSTILE, quantity: 2, unit_amount: '1250', discount_bps: 0, tax_bps: 1_900 },
      ...{ subtotal: '2500', discount: '0', tax: '475', amount: '2975' },
    },
  ],
  ...{ due_at: AT, overdue: false, metadata: { note: HOSTILE }, payment_intent: null, payment_intents: [] },
  ...{ hosted_url: 'https://pay.example/invoices/inv_1', created: AT, issued_at: AT, paid_at: null, voided_at: null },
};
const payment: OpenedPayment = {
  ...{ id: 'pi_1', status: 'awaiting_payment', amount: '2975', received_amount: '0', ...EURO, created: AT },
};
const entry: FeeEntryResource = {
  ...{ id: 'fee_1', object: 'fee_entry', mode: 'live', kind: 'adjustment', payment_intent: null, fee_invoice: null },
  ...{ amount: '-1200', ...EURO, memo: HOSTILE, created: AT },
};
const feeInvoice: FeeInvoiceResource = {
  ...{ id: 'finv_1', object: 'fee_invoice', mode: 'live', number: 'FEE-1', ...EURO, amount: '1250', status: 'open' },
  ...{ due_at: '2026-11-02T00:00:00.000Z', paid_at: null, created: AT },
};
const day: ReconciliationResource = {
  ...{ id: 'rec_1', object: 'reconciliation', mode: 'live', wallet: 'wal_1', network_id: 'base' },
  ...{ token_id: 'usdc-base', asset_symbol: 'USDC', day: '2026-10-31', status: 'balanced', opening: null },
  ...{ credited: '10.000000', unmatched: '0.000000', unrelated: '0.000000', dust: '0.000000', sent: '0.000000' },
  ...{ closing: '100.000000', difference: '-1.500000', transfers: 1, differences: [] },
};
const mail: WholeMail = {
  ...{ id: 'mail_1', kind: 'account_exists', to: HOSTILE, subject: HOSTILE, status: 'given_up', attempts: 3 },
  ...{ nextAttemptAt: AT, detail: HOSTILE, createdAt: AT, doneAt: AT, text: HOSTILE, html: `<b>${HOSTILE}</b>` },
};

const invoicePage = (changes: Partial<InvoiceResource>, payments: readonly OpenedPayment[] = []) => (
  <InvoicePage view={{ invoice: { ...invoice, ...changes }, payments, hasMore: false }} />
);

it.each([
  ['a list of links', <LinksPage view={{ links: [link], active: null, ...LAST_PAGE }} />],
  ['a link', <LinkPage view={{ link, payments: [payment], hasMore: true }} />],
  ['a list of invoices', <InvoicesPage view={{ invoices: [invoice], status: null, ...LAST_PAGE }} />],
  ['an invoice', invoicePage({})],
  ['the fee ledger', <FeesPage view={{ entries: [entry], outstanding: [{ ...EURO, amount: '-30' }], ...LAST_PAGE }} />],
  ['a list of mails', <OutboxPage view={{ mails: [mail], ...LAST_PAGE }} />],
  ['a mail', <MailPage mail={mail} />],
])('%s escapes all that merchants, customers and mail servers have written', (_, page) => {
  const html = renderedFor(page);
  expect(html.includes('&lt;script>alert(1)')).toBe(true);
  for (const words of ['<script>alert', 'undefined', '[object', 'style="']) expect(html.includes(words)).toBe(false);
});

it.each([
  ['open', 'Open'],
  ['inactive', 'Deactivated'],
  ['ended', 'Ended'],
  ['spent', 'Used up'],
] as const)('tells of a link that is %s', (standing, words) => {
  const view = { link: { ...link, standing }, payments: [], hasMore: false };
  expect(textIn(renderedFor(<LinkPage view={view} />))).toContain(words);
});

it.each([
  ['fixed', ['amount'], ['min_amount', 'max_amount']],
  ['open', ['min_amount', 'max_amount'], ['amount']],
] as const)('asks for the amounts of a link of kind %s alone', (kind, asked, others) => {
  const html = renderedFor(<NewLinkPage kind={kind} />);
  for (const name of asked) expect(html.includes(`name="${name}"`)).toBe(true);
  for (const name of others) expect(html.includes(`name="${name}"`)).toBe(false);
});

it.each([
  ['draft', [], ['issue', 'void']],
  ['open', [payment], ['send', 'void']],
  ['open', [{ ...payment, status: 'expired' }], ['issue', 'send', 'void']],
  ['open', [{ ...payment, status: 'canceled' }], ['issue', 'send', 'void']],
  ['paid', [{ ...payment, status: 'confirmed' }], ['send']],
  ['void', [], []],
] as const)('offers the steps that an invoice allows that is %s, row %#', (status, payments, steps) => {
  const html = renderedFor(invoicePage({ status }, payments));
  const offered = [...html.matchAll(/action="\/dashboard\/test\/invoices\/inv_1\/(\w+)"/g)].map(([, step]) => step);
  expect(offered).toStrictEqual(steps);
});

it('has issuing as the main step of a draft, and voiding as a dangerous one', () => {
  const html = renderedFor(invoicePage({ status: 'draft' }));
  for (const step of ['main">Issue', 'danger">Void'])
    expect(html).toContain(`<summary class="button ${step}</summary>`);
});

it('tells why a step was refused whose form is gone', () => {
  const fault = {
    action: '/dashboard/test/invoices/inv_1/void',
    code: 'invalid_state_transition',
    param: null,
  } as const;
  const html = renderedFor(invoicePage({ status: 'paid' }), { fault: { ...fault, text: 'It is paid.', typed: {} } });
  expect(html).toContain('<p role="alert">It is paid.</p>');
  const still = renderedFor(invoicePage({}), { fault: { ...fault, text: 'Money comes.', typed: {} } });
  expect(still.match(/role="alert"/g)).toHaveLength(1);
  expect(still).toContain('<details class="confirm no-print" id="void" open');
});

it.each(USER_ROLES)('offers a %s the steps of that role alone', role => {
  const mayManage = role === 'owner' || role === 'finance';
  expect(renderedFor(invoicePage({}), { role }).includes('Next steps')).toBe(mayManage);
  const page = <LinkPage view={{ link, payments: [], hasMore: false }} />;
  expect(renderedFor(page, { role }).includes('/deactivate"')).toBe(mayManage);
  const list = renderedFor(<InvoicesPage view={{ invoices: [], status: null, ...LAST_PAGE }} />, { role });
  const ways = ['exports?kind=invoices', 'invoices/new'].map(path => list.includes(`/${path}"`));
  expect(ways).toStrictEqual([mayManage, mayManage]);
});

it('says to whom a mail goes in test mode, and in live mode', () => {
  const open = { status: 'open' } as const;
  expect(textIn(renderedFor(invoicePage(open)))).toContain('goes to your account’s own address instead of ada@');
  expect(textIn(renderedFor(invoicePage(open), { mode: 'live' }))).toContain('with the invoice goes to ada@');
  expect(textIn(renderedFor(invoicePage({ ...open, customer: null })))).toContain('names no e-mail address');
});

it('shows sums below zero, and fees that were given back', () => {
  const outstanding = [
    { ...EURO, amount: '-30' },
    { currency: 'JPY', currency_decimals: 0, amount: '1' },
  ];
  const text = textIn(renderedFor(<FeesPage view={{ entries: [entry], outstanding, ...LAST_PAGE }} />));
  for (const words of ['-€12.00', '-€0.30', '¥1']) expect(text).toContain(words);
});

it.each([
  [{}, 'Open'],
  [{ due_at: '2026-10-01T00:00:00.000Z' }, 'Late'],
  [{ status: 'paid', paid_at: AT }, 'Paid'],
] as const)('tells how a fee invoice stands: %j', (changes, words) => {
  const shown = { ...feeInvoice, ...changes };
  expect(textIn(renderedFor(<FeeInvoicePage invoice={shown} />))).toContain(words);
  const list = <FeeInvoicesPage view={{ invoices: [shown], ...LAST_PAGE }} />;
  expect(textIn(renderedFor(list, { mode: 'live' }))).toContain(words);
});

it('names each difference of a day, and a balance that nobody observed', () => {
  const differences = DIFFERENCE_KINDS.map(kind => ({
    kind,
    token_amount: '-1.500000',
    tx_hash: null,
    log_index: null,
  }));
  const view = { query: {}, wallets: [], days: [{ ...day, differences }], ...LAST_PAGE };
  const html = renderedFor(<BooksPage view={view} />, { mode: 'live' });
  expect(html.match(/>-1\.500000</g)).toHaveLength(DIFFERENCE_KINDS.length);
  expect(textIn(html)).toContain('Opening balance Not observed');
  expect(textIn(html)).toContain('31 Oct 2026, USDC on');
});

it.each([
  ['given_up', 'Given up', 'Answer of the mail server'],
  ['withheld', 'Withheld', 'Reason'],
] as const)('tells why a mail is %s', (status, words, name) => {
  const text = textIn(renderedFor(<MailPage mail={{ ...mail, status, detail: 'a cause' }} />));
  expect(text).toContain(words);
  expect(text).toContain(`${name} a cause`);
});

it('shows a mail by its text alone', () => {
  expect(renderedFor(<MailPage mail={mail} />).includes('&lt;b>')).toBe(false);
});

it.each([
  [
    'links',
    (isFirst: boolean, active: string | null) => <LinksPage view={{ links: [], active, ...LAST_PAGE, isFirst }} />,
  ],
  [
    'invoices',
    (isFirst: boolean, status: string | null) => (
      <InvoicesPage view={{ invoices: [], status, ...LAST_PAGE, isFirst }} />
    ),
  ],
])('tells a first list of %s from a filtered one and from the end', (name, pageOf) => {
  const [first, filtered, end] = [pageOf(true, null), pageOf(true, 'void'), pageOf(false, null)].map(page =>
    textIn(renderedFor(page)),
  );
  expect(first).toContain(`No ${name} yet`);
  expect(filtered).toContain(`All ${name}`);
  expect(end).toContain(`No older ${name}`);
});
