import type { Mode } from '../../../vocabulary/modes';
import { formatTokenAmount, TOKENS } from '../../../vocabulary/tokens';
import type { SettingsFacts } from '../../../vocabulary/settings-facts';
import { isHoldOpen } from '../../payment-intents/payment-intent.holds';
import { isMerchantsToConfirm } from '../../payment-intents/payment-intent.outcome';
import { isRejected, needsDecision } from '../../payment-intents/payment-intent.review';
import type { ExistingPaymentIntent } from '../../payment-intents/payment-intent.state';
import type { PaymentIntentDocument } from '../../payment-intents/payment-intents.read-model';
import type { PaymentIntentResource } from '../../payment-intents/queries/payment-intent.answer';
import type { CheckoutPayment, CheckoutView } from './checkout-view';

/** The facts about a payment that its own document does not hold. */
type CheckoutFacts = Pick<CheckoutView, 'shop' | 'nowMs' | 'offers' | 'mayRestart' | 'restartedAs'> & {
  readonly settings: SettingsFacts;
};

/** The payment as its customer sees it. */
export function presentCheckout(
  document: PaymentIntentDocument,
  resource: PaymentIntentResource,
  { settings, ...facts }: CheckoutFacts,
): CheckoutView {
  const { state } = document;
  return {
    ...facts,
    payment: withoutPrivate(resource),
    mode: document.mode as Mode,
    priceTokenAmount: state.quote && formatTokenAmount(TOKENS[state.quote.token_id], state.quote.price_base_units),
    successUrl: state.terms.success_url ?? settings.default_success_url,
    isInferred: isInferred(state),
    isHoldOpen: isHoldOpen(state),
    isRejected: isRejected(state),
  };
}

function withoutPrivate({ metadata: _, review, ...payment }: PaymentIntentResource): CheckoutPayment {
  return { ...payment, review: review && { ...review, note: null } };
}

/** Whether the payment is underpaid for the one reason that its merchant has to look at an inferred transfer. */
function isInferred(state: ExistingPaymentIntent): boolean {
  return state.status === 'underpaid' && needsDecision(state) && isMerchantsToConfirm(state);
}
