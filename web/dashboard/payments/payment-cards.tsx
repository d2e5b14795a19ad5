import type { ComponentChildren } from 'preact';
import type { PaymentTimeline } from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import type { PaymentIntentResource } from '../../../src/modules/payment-intents/queries/payment-intent.answer';
import { Address, Hash } from '../../parts/address';
import { TokenAmount } from '../../parts/amount';
import { Card, Figure } from '../../parts/card';
import { Copy } from '../../parts/copy';
import { Definitions } from '../../parts/definitions';
import { Money } from '../../parts/money';
import { usePaths } from '../../parts/signed-context';
import { Badge, spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { networkName } from '../../words/chain-names';
import { answerText, codeText, PaymentLink } from './fact-words';

type Entry = readonly [term: string, value: ComponentChildren];
type Props = { readonly payment: PaymentIntentResource };

/** The payment as of the moment that is shown. */
export function FactsCard({ payment }: Props) {
  const { currency, currency_decimals: decimals, payment_method: method } = payment;
  return (
    <Card title="Payment" liveId="payment">
      <Figure
        label="Received"
        value={<Money minorUnits={payment.received_amount} {...{ currency, decimals }} />}
        note={
          method && (
            <>
              {payment.received_token_amount} {method.asset_symbol}
            </>
          )
        }
      />
      <Definitions entries={[...moneyEntries(payment), ...originEntries(payment)]} />
    </Card>
  );
}

function moneyEntries({ payment_method: method, ...payment }: PaymentIntentResource): readonly Entry[] {
  const asset = method?.asset_symbol ?? '';
  const { surplus_token_amount: surplus, remaining } = payment;
  return [
    ...(method === null
      ? []
      : [
          ['Expected', <TokenAmount key="due" amount={method.token_amount} price={null} {...{ asset }} />] as const,
          ['Network', networkName(method.network_id)] as const,
          ['To your wallet', <Address key="to" address={method.address} />] as const,
          ['Quote ends', <TimeOf key="end" at={method.quote_expires_at} />] as const,
        ]),
    ...(surplus === null ? [] : [['Surplus', `${surplus} ${asset}`] as const]),
    ...(remaining === null
      ? []
      : [
          [
            'Still asked for',
            <TokenAmount key="rest" amount={remaining.token_amount} price={null} {...{ asset }} />,
          ] as const,
        ]),
    ...(payment.failure_reason === null ? [] : [['Failed because', codeText(payment.failure_reason)] as const]),
  ];
}

function originEntries(payment: PaymentIntentResource): readonly Entry[] {
  const { description, metadata, restarted_from: former } = payment;
  return [
    ...(description === null ? [] : [['Description', description] as const]),
    ...Object.entries(metadata),
    ...(payment.payment_link === null
      ? []
      : [['Link', <ObjectLink key="link" kind="links" id={payment.payment_link} />] as const]),
    ...(payment.invoice === null
      ? []
      : [['Invoice', <ObjectLink key="inv" kind="invoices" id={payment.invoice} />] as const]),
    ...(former === null ? [] : [['In place of', <PaymentLink key="former" id={former} />] as const]),
    ['Created', <TimeOf key="created" at={payment.created} as="exact" />],
    ['Id', <Copied key="id" text={payment.id} label="Copy the id" />],
  ];
}

function ObjectLink({ kind, id }: { readonly kind: 'links' | 'invoices'; readonly id: string }) {
  const paths = usePaths();
  return (
    <a class="mono" href={paths(`${kind}/${id}`)}>
      {id}
    </a>
  );
}

function Copied({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span class="with-copy">
      <code>{text}</code> <Copy text={text} label={label} />
    </span>
  );
}

/** The customer's side: the pages, the payers, and the transactions that somebody named. */
export function CustomerCard({ payment }: Props) {
  const { transfers, claims } = payment;
  const payers = [...new Set(transfers.map(({ from }) => from))];
  return (
    <Card title="Customer" liveId="customer">
      <Definitions
        entries={[
          ['Checkout', <Copied key="checkout" text={payment.checkout_url} label="Copy the address of the checkout" />],
          ...payers.map((payer): Entry => ['Paid from', <Address key={payer} address={payer} />]),
          ...(payment.hold === null ? [] : [['Hold', codeText(payment.hold.status)] as const]),
          ...(claims ?? []).map((naming): Entry => [
            'Named',
            <>
              <Hash hash={naming.reference} /> <Badge tone="idle" text={spoken(naming.status)} />
            </>,
          ]),
        ]}
      />
    </Card>
  );
}

/** The newest attempt of each webhook. */
export function WebhooksCard({ timeline: { entries } }: { readonly timeline: PaymentTimeline }) {
  const events = entries.filter(entry => entry.kind === 'webhook');
  if (events.length === 0) return null;
  const attempts = entries.filter(entry => entry.kind === 'attempt');
  const answers = events.map(({ id, type, endpoints }): Entry => {
    const last = attempts.findLast(attempt => attempt.event === id);
    if (last === undefined) return [type, endpoints === 0 ? 'no delivery' : 'not sent yet'];
    return [type, answerText(last)];
  });
  return (
    <Card title="Webhooks" liveId="webhooks">
      <Definitions entries={answers} />
    </Card>
  );
}
