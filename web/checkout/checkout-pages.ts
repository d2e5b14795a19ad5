import { h } from 'preact';
import type { QueryBus } from '@nestjs/cqrs';
import type { MerchantContext } from '../../src/kernel/command-context';
import type { CheckoutView } from '../../src/modules/checkout/queries/checkout-view';
import { checkoutVersion } from '../../src/modules/checkout/queries/checkout-version';
import { GetCheckoutPayment } from '../../src/modules/checkout/queries/get-checkout-payment.query';
import { GetCheckoutTerms } from '../../src/modules/checkout/queries/get-checkout-terms.query';
import type { CustomerTerms } from '../../src/vocabulary/customer-terms';
import type { FormBody } from '../../src/platform/http/form-body';
import { refuse, type ErrorCode } from '../../src/vocabulary/errors';
import type { CustomerPages, CustomerRequest } from '../http/customer-pages';
import { isolated } from '../parts/isolate';
import { faultText } from '../words/form-faults';
import { CheckoutPage } from './checkout.page';
import { methodNames, type FormFault } from './screens/checkout-props';

/** A form of a payment's page, with what it does. */
type CheckoutForm = CustomerRequest & { readonly kind: FormFault['form']; readonly form: FormBody };
/** Answers the path that a form leads to. */
type CheckoutEffect = (terms: CustomerTerms, context: MerchantContext) => Promise<string>;

export class CheckoutPages {
  constructor(
    private readonly queries: QueryBus,
    private readonly pages: CustomerPages,
  ) {}

  /** Throws Refusal payment_not_found, alike for an unknown id and for a text that is no id. */
  async view(id: string): Promise<CheckoutView> {
    const view = await this.queries.execute(new GetCheckoutPayment(id));
    if (!view) throw refuse('payment_not_found');
    return view;
  }

  /** The path of the payment's page, as a browser asks for it. */
  pathOf(paymentIntent: string): string {
    return this.pages.pathOf('checkout', paymentIntent);
  }

  async sendCheckout(asked: CustomerRequest): Promise<void> {
    await this.sendState(asked, await this.view(asked.id));
  }

  /** Tells the payment's open page of changes. */
  async listen(asked: CustomerRequest): Promise<void> {
    await this.terms(asked.id);
    this.pages.listen(asked, async () => this.versionOf(await this.view(asked.id)));
  }

  /** Works a form off once and leads on; a refused form is shown again, with the reason at its place. */
  async work({ kind, form, ...asked }: CheckoutForm, effect: CheckoutEffect): Promise<void> {
    await this.pages.work(asked, {
      kind,
      form,
      terms: () => this.terms(asked.id),
      read: terms => context => effect(terms, context),
      view: () => this.view(asked.id),
      refused: (refusal, view, language) => {
        const values = { network: isolated(methodNames(view).network), shop: isolated(view.shop.name) };
        const text = faultText(refusal, 'checkout', language, values);
        return this.sendState(asked, view, { form: kind, text, value: form.tx_hash ?? '' }, refusal.code);
      },
    });
  }

  /** Throws Refusal payment_not_found, as `view` does. */
  private async terms(id: string): Promise<CustomerTerms> {
    const terms = await this.queries.execute(new GetCheckoutTerms(id));
    if (!terms) throw refuse('payment_not_found');
    return terms;
  }

  private async sendState(
    asked: CustomerRequest,
    view: CheckoutView,
    fault: FormFault | null = null,
    refusal: ErrorCode | null = null,
  ): Promise<void> {
    const path = this.pathOf(asked.id);
    const version = this.versionOf(view);
    await this.pages.send(asked, path, formId => h(CheckoutPage, { view, path, formId, fault, version }), refusal);
  }

  private versionOf(view: CheckoutView): string {
    return this.pages.version(checkoutVersion(view));
  }
}
