import { Hash } from '../../parts/address';
import { Fact } from '../../parts/facts';
import { Icon } from '../../parts/icon';
import { isolated } from '../../parts/isolate';
import { LanguageLinks } from '../../parts/page';
import { usePage } from '../../parts/page-context';
import { Steps } from '../../parts/steps';
import type { MessageKey } from '../../words/language';
import type { Screen } from './checkout-screen';
import { methodNames } from './checkout-props';
import { InvoiceLink, Shop } from './shop';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';

/** The step that each screen stands at; null where the payment has left its way. */
const STEP_OF: Readonly<Record<Screen, number | null>> = {
  created: 0,
  awaiting: 0,
  underpaid: 0,
  detected: 1,
  confirming: 2,
  held: 2,
  underpaid_inferred: 2,
  confirmed: 4,
  overpaid: 4,
  underpaid_stopped: null,
  rejected: null,
  expired: null,
  paid_late: null,
  canceled: null,
  failed: null,
};

/** The shop and the price: the first thing that a customer sees. */
export function Summary({ view }: { readonly view: CheckoutView }) {
  const { language } = usePage();
  const { payment } = view;
  return (
    <section class="summary" id="summary" data-live aria-label={language.say('checkout.price')}>
      <Shop view={view} />
      <p class="price">{language.money(payment.amount, payment.currency, payment.currency_decimals)}</p>
    </section>
  );
}

/** The subject of the payment, and how far it has come. */
export function Order({ view, screen }: { readonly view: CheckoutView; readonly screen: Screen }) {
  const { language } = usePage();
  const { payment } = view;
  const { payment_method: method } = payment;
  const { asset } = methodNames(view);
  const rate = method && { currency: payment.currency, rate: isolated(method.rate), asset };
  return (
    <section class="order" id="order" data-live aria-label={language.say('checkout.progress')}>
      <dl class="facts">
        {payment.description !== null && (
          <Fact term="checkout.for">
            <bdi>{payment.description}</bdi>
          </Fact>
        )}
        {payment.invoice !== null && (
          <Fact term="checkout.invoice">
            <InvoiceLink view={view} />
          </Fact>
        )}
        {rate && <Fact term="checkout.rate">{language.say('checkout.rate_value', rate)}</Fact>}
        <Fact term="checkout.payment_id">
          <Hash hash={payment.id} />
        </Fact>
      </dl>
      <Progress view={view} screen={screen} />
      <p class="trust">
        <Icon name="shield-check" />
        <span>{language.say('checkout.trust', { shop: isolated(view.shop.name) })}</span>
      </p>
      <LanguageLinks />
    </section>
  );
}

function Progress({ view, screen }: { readonly view: CheckoutView; readonly screen: Screen }) {
  const { language } = usePage();
  const at = STEP_OF[screen];
  if (at === null) return null;
  const first: MessageKey = view.payment.status === 'created' ? 'step.choosing' : 'step.waiting';
  const keys: readonly MessageKey[] = [first, 'step.seen', 'step.confirming', 'step.paid'];
  const steps = keys.map((key, index) => {
    const state = index < at ? ('done' as const) : index === at ? ('now' as const) : ('later' as const);
    return { label: language.say(key), state };
  });
  return <Steps label={language.say('checkout.progress')} steps={steps} />;
}
