import type { ComponentChildren } from 'preact';
import type { InvoiceResource } from '../../../src/modules/invoices/api/invoices.contract';
import { Card } from '../../parts/card';
import { Copied } from '../../parts/copied';
import { Copy } from '../../parts/copy';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { Icon } from '../../parts/icon';
import { Empty } from '../../parts/list-parts';
import { TimeOf } from '../../parts/time-of';
import { languageName } from '../../words/language-names';
import { OpenedPayments, type OpenedPayment } from '../opened-payments';
import { InvoiceBadge } from './invoice-parts';
import { LinesCard } from './lines-card';
import { RefusedStep, StepsCard } from './steps-card';

export type InvoiceView = {
  readonly invoice: InvoiceResource;
  /** The newest payments that were made for the invoice. */
  readonly payments: readonly OpenedPayment[];
  readonly hasMore: boolean;
};

type Props = { readonly invoice: InvoiceResource };
type Entry = readonly [term: string, value: ComponentChildren];

const BACK = { path: 'invoices', text: 'Invoices' } as const;

/** An invoice with its lines, its payments, and the steps that can be taken now. */
export function InvoicePage({ view: { invoice, payments, hasMore } }: { readonly view: InvoiceView }) {
  const mayManage = useMay('invoice.manage');
  return (
    <DashboardPage
      title={`Invoice ${invoice.number}`}
      current="invoices"
      back={BACK}
      actions={<State invoice={invoice} />}
    >
      <RefusedStep invoice={invoice} payments={payments} />
      <div class="columns">
        <div class="stack">
          <LinesCard invoice={invoice} />
          <Payments payments={payments} hasMore={hasMore} />
        </div>
        <div class="stack">
          {mayManage && <StepsCard invoice={invoice} payments={payments} />}
          <Hosted invoice={invoice} />
          <Facts invoice={invoice} />
        </div>
      </div>
    </DashboardPage>
  );
}

function State({ invoice }: Props) {
  return (
    <div id="state" data-live>
      <InvoiceBadge invoice={invoice} />
    </div>
  );
}

function Payments({ payments, hasMore }: Pick<InvoiceView, 'payments' | 'hasMore'>) {
  return (
    <Card title="Payments" liveId="payments">
      {payments.length === 0 ? (
        <Empty icon="arrow-left-right" title="No payment was made for it yet" />
      ) : (
        <OpenedPayments payments={payments} />
      )}
      {hasMore && <p>These are the newest {payments.length}. The list of payments has all.</p>}
    </Card>
  );
}

/** The page that the customer pays by. */
function Hosted({ invoice: { hosted_url: url } }: Props) {
  return (
    <Card title="Page for the customer" liveId="hosted">
      {url === null ? (
        <p>A draft is yours alone. The page opens once the invoice is issued.</p>
      ) : (
        <>
          <p class="copied">
            <a href={url} class="mono">
              {url}
            </a>
            <Copy text={url} label="Copy the address" />
          </p>
          <div>
            <a class="button" href={`${url}/pdf`}>
              <Icon name="download" />
              PDF
            </a>
          </div>
        </>
      )}
    </Card>
  );
}

function Facts({ invoice }: Props) {
  const { customer } = invoice;
  const moment = (term: string, at: string | null): readonly Entry[] =>
    at === null ? [] : [[term, <TimeOf key={term} at={at} />]];
  const entries: readonly Entry[] = [
    ['Customer', customer?.name ?? 'Not named'],
    ['E-mail address', customer?.email ?? 'None'],
    ['Language of mails', languageName(invoice.language)],
    ['Subject', invoice.description ?? '–'],
    ['Due', invoice.due_at === null ? 'No due date' : <TimeOf key="due" at={invoice.due_at} />],
    ...moment('Drafted', invoice.created),
    ...moment('Issued', invoice.issued_at),
    ...moment('Paid', invoice.paid_at),
    ...moment('Voided', invoice.voided_at),
    ...Object.entries(invoice.metadata).map(([name, value]) => [`Metadata: ${name}`, value] as const),
    ['Id', <Copied key="id" text={invoice.id} label="Copy the id" />],
  ];
  return (
    <Card title="Invoice" liveId="facts">
      <Definitions entries={entries} />
    </Card>
  );
}
