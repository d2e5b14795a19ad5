import { h, type ComponentChild } from 'preact';
import type { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { ApiRequest } from '../../src/platform/http/caller';
import { clientIp } from '../../src/platform/http/client-ip';
import { refuse } from '../../src/vocabulary/errors';
import type { Entropy } from '../../src/kernel/entropy';
import type { MerchantContext } from '../../src/kernel/command-context';
import type { CheckoutView } from '../../src/modules/checkout/queries/checkout-view';
import { checkoutContext } from '../../src/modules/checkout/checkout-context';
import { checkoutVersion } from '../../src/modules/checkout/queries/checkout-version';
import { GetCheckoutPayment } from '../../src/modules/checkout/queries/get-checkout-payment.query';
import type { FormCommand, FormWork } from '../http/form-work';
import type { PageSender } from '../http/page-sender';
import type { FormBody } from '../../src/platform/http/form-body';
import { isolated } from '../parts/isolate';
import { methodNames, type FormFault } from './screens/checkout-props';
import { CheckoutPage } from './checkout.page';
import { refusedForm } from './form-faults';

const SEE_OTHER = 303;
const FORM_ID_BYTES = 16;

/** A request of a customer for a payment's page. */
type CustomerRequest = { readonly request: ApiRequest; readonly reply: FastifyReply; readonly id: string };
/** A form of such a page, with what it does. */
type CustomerForm = CustomerRequest & { readonly kind: FormFault['form']; readonly form: FormBody };
/** The path that a form leads to. */
type FormEffect = (view: CheckoutView, context: MerchantContext) => Promise<string>;

export class CheckoutPages {
  constructor(
    private readonly queries: QueryBus,
    private readonly pages: PageSender,
    private readonly forms: FormWork,
    private readonly entropy: Entropy,
  ) {}

  /** Throws Refusal payment_not_found, alike for an unknown id and for a text that is no id. */
  async view(id: string): Promise<CheckoutView> {
    const view = await this.queries.execute(new GetCheckoutPayment(id));
    if (!view) throw refuse('payment_not_found');
    return view;
  }

  /** The path of the payment's page, as a browser asks for it. */
  pathOf(paymentIntent: string): string {
    return `${this.pages.root}/checkout/${paymentIntent}`;
  }

  /** Sends one of the payment's pages. */
  async send(
    { request, reply, id }: CustomerRequest,
    path: string,
    pageOf: (view: CheckoutView) => ComponentChild,
  ): Promise<void> {
    const view = await this.view(id);
    await this.pages.send(request, reply, this.pages.factsFor(request, path), pageOf(view));
  }

  async sendCheckout(asked: CustomerRequest): Promise<void> {
    await this.sendState(asked, await this.view(asked.id), null, 200);
  }

  /** Names the state that the payment's page shows now. */
  async version(id: string): Promise<string> {
    return this.versionOf(await this.view(id));
  }

  /** Works a form off once and leads on; a refused form is shown again, with the reason at its place. */
  async work({ kind, form, ...asked }: CustomerForm, effect: FormEffect): Promise<void> {
    const { request, reply, id } = asked;
    const view = await this.view(id);
    const facts = this.pages.factsFor(request, this.pathOf(id));
    const work = (command: FormCommand) => effect(view, this.contextOf(view, request, command));
    try {
      const { mode, merchantId, nowMs } = view;
      const path = await this.forms.once({ mode, merchantId, action: `${id}/${kind}`, form, nowMs }, work);
      const lang = facts.namedLanguage === null ? '' : `?lang=${facts.namedLanguage}`;
      void reply.status(SEE_OTHER).header('location', `${path}${lang}`).send('');
    } catch (error) {
      const words = { network: isolated(methodNames(view).network), shop: isolated(view.shop.name) };
      const { status, text, code } = refusedForm(error, facts.language, words);
      request.errorCode = code;
      // The payment may have changed, and be the reason of the refusal.
      await this.sendState(asked, await this.view(id), { form: kind, text, value: form.tx_hash ?? '' }, status);
    }
  }

  private async sendState(
    { request, reply, id }: CustomerRequest,
    view: CheckoutView,
    fault: FormFault | null,
    status: number,
  ): Promise<void> {
    const path = this.pathOf(id);
    const formId = Buffer.from(this.entropy.bytes(FORM_ID_BYTES)).toString('hex');
    const page = h(CheckoutPage, { view, path, formId, fault, version: this.versionOf(view) });
    await this.pages.send(request, reply, this.pages.factsFor(request, path), page, status);
  }

  private versionOf(view: CheckoutView): string {
    return `${checkoutVersion(view)}-${this.pages.buildId.slice(0, 8)}`;
  }

  private contextOf(
    { mode, merchantId, nowMs }: CheckoutView,
    request: ApiRequest,
    command: FormCommand,
  ): MerchantContext {
    const asked = { ...command, requestId: request.id, ip: clientIp(request), now: nowMs };
    return checkoutContext({ mode, merchantId }, asked);
  }
}
