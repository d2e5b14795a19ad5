import type { ComponentChild } from 'preact';
import { CheckoutPage } from '../../web/checkout/checkout.page';
import { NamingPage } from '../../web/checkout/naming.page';
import { ReceiptPage } from '../../web/checkout/receipt.page';
import { methodNames, type FormFault } from '../../web/checkout/screens/checkout-props';
import { usePage } from '../../web/parts/page-context';
import { refuse, type ErrorCode } from '../../src/vocabulary/errors';
import type { InvoiceView } from '../../src/modules/invoices/queries/invoice-view';
import type { CheckoutView } from '../../src/modules/checkout/queries/checkout-view';
import { PayPage, type PayFault } from '../../web/pay/pay.page';
import { payFault } from '../../web/pay/pay-fault';
import { InvoicePage } from '../../web/invoices/invoice.page';
import { pageText } from '../../web/http/page-sender';
import { faultText } from '../../web/words/form-faults';
import type { Languages } from '../../web/words/languages';
import { NOW_MS, VIEWS, viewOf } from './checkout-views';
import { LINK_VIEWS, linkViewOf } from './link-views';
import { EXTREMES, LONG_PAID } from './extreme-views';
import { INVOICES } from './invoice-views';

const PROPS = { formId: '0'.repeat(32), path: '/checkout/pi_1', fault: null, version: 'v1' };
export const NAMING = {
  id: 'txc_01kb3x5q0g7h2m9c4r8v6t1zny',
  reference: `0x${'5c'.repeat(32)}`,
  created: new Date(NOW_MS).toISOString(),
} as const;

const view = (name: string) => VIEWS[name] ?? viewOf({});
const checkout = (shown: CheckoutView) => <CheckoutPage {...PROPS} view={shown} />;
const checkouts = (views: Readonly<Record<string, CheckoutView>>) =>
  Object.fromEntries(Object.entries(views).map(([name, shown]) => [name, checkout(shown)]));
const forInvoice = (shown: CheckoutView): CheckoutView => ({
  ...shown,
  payment: { ...shown.payment, invoice: 'inv_01kb3x5q0g7h2m9c4r8v6t1zny' },
});
type FaultyProps = { readonly form: FormFault['form']; readonly name: string; readonly code: ErrorCode };

function Faulty({ form, name, code }: FaultyProps) {
  const { language } = usePage();
  const shown = view(name);
  const values = { network: methodNames(shown).network, shop: shown.shop.name };
  const text = faultText(refuse(code), 'checkout', language, values);
  return <CheckoutPage {...PROPS} view={shown} fault={{ form, text, value: '0x1' }} />;
}

const linkView = (name: string) => LINK_VIEWS[name] ?? linkViewOf({});
const link = (name: string, fault: PayFault | null = null) => (
  <PayPage view={linkView(name)} path="/pay/plink_1" formId={PROPS.formId} fault={fault} />
);

function FaultyLink({ name, code }: { readonly name: string; readonly code: ErrorCode }) {
  const { language } = usePage();
  return link(name, payFault(refuse(code), { view: linkView(name), typed: '12.5O', language }));
}

/** The words of a refused form of an invoice. */
export const FAULT_TEXT = '(the words of the fault)';
const invoice = { ...PROPS, path: '/invoices/inv_1' };
const invoices = Object.fromEntries(
  Object.entries(INVOICES).map(([name, shown]) => [name, <InvoicePage key={name} {...invoice} view={shown} />]),
);

/** Every page that a customer can meet, by a name of its own. */
export const PAGES: Readonly<Record<string, ComponentChild>> = {
  ...checkouts(VIEWS),
  'without an offer': checkout({ ...view('created'), offers: [] }),
  'started anew': checkout({ ...view('expired'), restartedAs: 'pi_2' }),
  'a refused method': <Faulty form="method" name="created" code="provider_unavailable" />,
  'a refused naming': <Faulty form="claim" name="awaiting" code="invalid_tx_hash" />,
  'a refused restart': <Faulty form="restart" name="expired" code="rate_limit" />,
  'a naming that waits': <NamingPage view={view('awaiting')} naming={{ ...NAMING, status: 'pending' }} path="/" />,
  'a naming in review': <NamingPage view={view('awaiting')} naming={{ ...NAMING, status: 'in_review' }} path="/" />,
  'a naming that counts': <NamingPage view={view('awaiting')} naming={{ ...NAMING, status: 'attributed' }} path="/" />,
  'a naming refused': <NamingPage view={view('awaiting')} naming={{ ...NAMING, status: 'refused' }} path="/" />,
  receipt: <ReceiptPage view={view('overpaid')} path="/" />,
  ...checkouts(EXTREMES),
  ...Object.fromEntries(Object.keys(LINK_VIEWS).map(name => [name, link(name)])),
  'a refused amount': <FaultyLink name="an open link" code="invalid_amount" />,
  'a refused link': <FaultyLink name="a fixed link" code="provider_unavailable" />,
  ...invoices,
  'an invoice that could not be paid': (
    <InvoicePage {...invoice} view={INVOICES['an invoice to be paid anew'] as InvoiceView} fault={FAULT_TEXT} />
  ),
  'a long receipt': <ReceiptPage view={LONG_PAID} path="/" />,
  'confirmed for an invoice': checkout(forInvoice(view('confirmed'))),
  'expired for an invoice': checkout(forInvoice(view('expired'))),
  'canceled for an invoice': checkout(forInvoice(view('canceled'))),
  'receipt of an invoice': <ReceiptPage view={forInvoice(view('confirmed'))} path="/" />,
};

/** The page's document, without anything that the build makes. */
export function rendered(languages: Languages, code: string, name: string): string {
  const facts = {
    language: languages.chosen(code, undefined),
    languages: languages.all,
    assetPath: (asset: string) => `/assets/${asset}`,
    iconShape: () => '',
    root: '',
    path: '/checkout/pi_1',
    namedLanguage: code,
  };
  return pageText(facts, PAGES[name] ?? null);
}
