import { parseIsoTime } from '../../src/kernel/clock';
import type { InvoiceLine } from '../../src/modules/invoices/invoice.events';
import type { InvoiceView } from '../../src/modules/invoices/queries/invoice-view';
import { CardPage } from '../checkout/screens/card-page';
import { Fact } from '../parts/facts';
import { Form } from '../parts/form';
import { Icon } from '../parts/icon';
import { isolated } from '../parts/isolate';
import { LookAgain } from '../parts/newest';
import { FaultNote } from '../parts/note';
import { LanguageLinks } from '../parts/page';
import { keepingLanguage, usePage } from '../parts/page-context';
import { standingOf, toneOf, type Tone } from '../words/invoice-standing';

/** The sign above the title, which tells at a glance that nothing is to be paid. */
const SIGNS: Readonly<Record<Tone, readonly [tone: string, icon: string | null]>> = {
  paid: ['ok', 'check'],
  void: ['bad', 'ban'],
  overdue: ['warn', null],
  open: ['', null],
};

type InvoiceProps = {
  readonly view: InvoiceView;
  /** The path of the invoice's page. */
  readonly path: string;
  readonly formId: string;
  /** The words for a refused payment; null where none was refused. */
  readonly fault: string | null;
};

/** An invoice, to be read, printed, kept and paid. */
export function InvoicePage({ version, ...props }: InvoiceProps & { readonly version: string }) {
  const { view, path } = props;
  const page = usePage();
  const { language } = page;
  const title = language.say('invoice.title', { number: isolated(view.number) });
  return (
    <CardPage
      view={view}
      title={language.say('checkout.document_title', { title, shop: view.shop.name })}
      live={{ path, version }}
    >
      <Standing {...props} title={title} />
      <Head view={view} />
      <Lines view={view} />
      <Totals view={view} />
      {view.draft.notes !== null && <Notes notes={view.draft.notes} />}
      {view.paying !== null && <p class="print-only">{language.say('invoice.pdf_pay', { url: view.url })}</p>}
      <a class="button wide no-print" href={keepingLanguage(page, `${path}/pdf`)} download>
        {language.say('invoice.pdf')}
      </a>
      <button type="button" class="button wide no-print" hidden data-scripted data-print>
        {language.say('receipt.print')}
      </button>
      <LanguageLinks />
    </CardPage>
  );
}

/** How the invoice stands, and what its customer can do now. The lines below never change. */
function Standing({ title, ...props }: InvoiceProps & { readonly title: string }) {
  const { view, path } = props;
  const { language } = usePage();
  const { draft, paying } = view;
  const [tone, icon] = SIGNS[toneOf(view)];
  const standing = standingOf(view, language);
  return (
    <div id="standing" class="screen" data-live data-said={standing}>
      <header class="heading">
        {icon !== null && (
          <span class={`sign ${tone}`}>
            <Icon name={icon} />
          </span>
        )}
        <h1 id="title">{title}</h1>
        <p class={`standing ${tone}`}>{standing}</p>
      </header>
      {(paying === 'go_on' || paying === 'anew') && (
        <p class="price no-print">
          {language.money(draft.amount_minor_units, draft.currency, draft.currency_decimals)}
        </p>
      )}
      <Ways {...props} />
      {paying === 'under_way' && <LookAgain path={path} />}
    </div>
  );
}

function Head({ view }: { readonly view: InvoiceView }) {
  const { language } = usePage();
  const { draft, issuedAt } = view;
  const day = (at: string) => language.day(parseIsoTime(at), draft.time_zone);
  return (
    <dl class="facts">
      {draft.customer !== null && (
        <Fact term="invoice.to">
          <bdi>{draft.customer.name}</bdi>
        </Fact>
      )}
      {draft.description !== null && (
        <Fact term="checkout.for">
          <bdi>{draft.description}</bdi>
        </Fact>
      )}
      {issuedAt !== null && <Fact term="invoice.issued">{day(issuedAt)}</Fact>}
      {draft.due_at !== null && <Fact term="invoice.due">{day(draft.due_at)}</Fact>}
    </dl>
  );
}

function Lines({ view: { draft } }: { readonly view: InvoiceView }) {
  const { language } = usePage();
  if (draft.lines.length === 0) return null;
  return (
    <table class="lines">
      <caption class="sr">{language.say('invoice.lines')}</caption>
      <thead>
        <tr>
          <th scope="col">{language.say('invoice.line')}</th>
          <th scope="col" class="figure">
            {language.say('invoice.amount')}
          </th>
        </tr>
      </thead>
      <tbody>
        {draft.lines.map((line, at) => (
          <Line key={at} line={line} draft={draft} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ line, draft }: { readonly line: InvoiceLine; readonly draft: InvoiceView['draft'] }) {
  const { language } = usePage();
  const money = (amount: string) => isolated(language.money(amount, draft.currency, draft.currency_decimals));
  const quantity = isolated(language.count(line.quantity));
  const share = (bps: number, amount: string) => ({ percent: isolated(language.percent(bps)), amount: money(amount) });
  return (
    <tr>
      <th scope="row">
        <span dir="auto">{line.description}</span>
        <span class="detail">
          {language.say('invoice.times', { quantity, unit: money(line.unit_amount_minor_units) })}
        </span>
        {line.discount_bps > 0 && (
          <span class="detail">
            {language.say('invoice.line_discount', share(line.discount_bps, line.discount_minor_units))}
          </span>
        )}
        {line.tax_bps > 0 && (
          <span class="detail">{language.say('invoice.line_tax', share(line.tax_bps, line.tax_minor_units))}</span>
        )}
      </th>
      <td class="figure">{language.money(line.amount_minor_units, draft.currency, draft.currency_decimals)}</td>
    </tr>
  );
}

function Totals({ view: { draft } }: { readonly view: InvoiceView }) {
  const { language } = usePage();
  const money = (amount: string) => language.money(amount, draft.currency, draft.currency_decimals);
  const { discount_minor_units: discount, tax_minor_units: tax } = draft;
  return (
    <dl class="facts totals">
      {(discount !== '0' || tax !== '0') && <Fact term="invoice.subtotal">{money(draft.subtotal_minor_units)}</Fact>}
      {discount !== '0' && <Fact term="invoice.discount">{money(`-${discount}`)}</Fact>}
      {tax !== '0' && <Fact term="invoice.tax">{money(tax)}</Fact>}
      <div class="total">
        <dt>{language.say('invoice.total')}</dt>
        <dd>{money(draft.amount_minor_units)}</dd>
      </div>
    </dl>
  );
}

function Notes({ notes }: { readonly notes: string }) {
  const { language } = usePage();
  return (
    <section class="invoice-notes" aria-label={language.say('invoice.notes')}>
      <p dir="auto">{notes}</p>
    </section>
  );
}

/** The way to the checkout of the invoice's payment, or to the receipt of the one that paid it. */
function Ways({ view, path, formId, fault }: InvoiceProps) {
  const page = usePage();
  const { language } = page;
  const { draft, paying, payment, status } = view;
  const checkout = payment === null ? null : `${page.root}/checkout/${payment}`;
  const amount = isolated(language.money(draft.amount_minor_units, draft.currency, draft.currency_decimals));
  const pay = language.say('invoice.pay', { amount });
  return (
    <>
      {fault !== null && <FaultNote text={fault} />}
      {paying === 'anew' && (
        <Form action={keepingLanguage(page, `${path}/pay`)} formId={formId} class="no-print">
          <button class="button main wide" type="submit">
            {pay}
          </button>
        </Form>
      )}
      {checkout !== null && paying !== null && paying !== 'anew' && (
        <a class="button main wide no-print" href={keepingLanguage(page, checkout)}>
          {paying === 'go_on' ? pay : language.say('invoice.see_payment')}
        </a>
      )}
      {checkout !== null && status === 'paid' && (
        <a class="button wide no-print" href={keepingLanguage(page, `${checkout}/receipt`)}>
          {language.say('checkout.receipt')}
        </a>
      )}
    </>
  );
}
