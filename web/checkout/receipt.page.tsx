import { parseIsoTime } from '../../src/kernel/clock';
import { Hash } from '../parts/address';
import { Fact } from '../parts/facts';
import { isolated } from '../parts/isolate';
import { keepingLanguage, usePage } from '../parts/page-context';
import { CardPage } from './screens/card-page';
import { methodNames } from './screens/checkout-props';
import { InvoiceLink } from './screens/shop';
import type { CheckoutView } from '../../src/modules/checkout/queries/checkout-view';

/** The facts of a paid payment, to be printed and kept. */
export function ReceiptPage({ view, path }: { readonly view: CheckoutView; readonly path: string }) {
  const page = usePage();
  const { language } = page;
  const title = language.say('receipt.title');
  return (
    <CardPage view={view} title={language.say('checkout.document_title', { title, shop: view.shop.name })}>
      <h1 id="title">{title}</h1>
      <Facts view={view} />
      <p class="hint">{language.say('receipt.note')}</p>
      <button type="button" class="button wide no-print" hidden data-scripted data-print>
        {language.say('receipt.print')}
      </button>
      <a class="button wide no-print" href={keepingLanguage(page, path)}>
        {language.say('receipt.back')}
      </a>
      <InvoiceLink view={view} style="button wide no-print" />
    </CardPage>
  );
}

function Facts({ view }: { readonly view: CheckoutView }) {
  const { language } = usePage();
  const { payment, shop } = view;
  const { payment_method: method, transfers } = payment;
  const { asset, network } = methodNames(view);
  const credited = transfers.filter(({ status }) => status === 'credited');
  const tokens = (amount: string) => isolated(`${amount} ${asset}`);
  return (
    <dl class="facts">
      <Fact term="receipt.shop">
        <bdi>{shop.name}</bdi>
      </Fact>
      {payment.description !== null && (
        <Fact term="receipt.for">
          <bdi>{payment.description}</bdi>
        </Fact>
      )}
      <Fact term="receipt.price">{language.money(payment.amount, payment.currency, payment.currency_decimals)}</Fact>
      <Fact term="receipt.paid">{tokens(payment.received_token_amount ?? '0')}</Fact>
      {payment.surplus_token_amount !== null && (
        <Fact term="receipt.surplus">{tokens(payment.surplus_token_amount)}</Fact>
      )}
      <Fact term="receipt.network">{network}</Fact>
      {method && (
        <Fact term="receipt.address">
          <Hash hash={method.address} />
        </Fact>
      )}
      {credited.map(transfer => (
        <Fact key={transfer.id} term="checkout.transaction">
          <Hash hash={transfer.tx_hash} />
        </Fact>
      ))}
      {payment.confirmed_at !== null && (
        <Fact term="receipt.confirmed">{language.moment(parseIsoTime(payment.confirmed_at))}</Fact>
      )}
      <Fact term="receipt.payment">
        <Hash hash={payment.id} />
      </Fact>
    </dl>
  );
}
