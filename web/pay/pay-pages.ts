import { h } from 'preact';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { MerchantContext } from '../../src/kernel/command-context';
import type { Entropy } from '../../src/kernel/entropy';
import { checkoutContext } from '../../src/modules/checkout/checkout-context';
import { OpenPaymentLink } from '../../src/modules/payment-links/commands/open-payment-link.command';
import { GetPayLink } from '../../src/modules/payment-links/queries/get-pay-link.query';
import type { PayLinkView } from '../../src/modules/payment-links/queries/pay-link-view';
import type { ApiRequest } from '../../src/platform/http/caller';
import { clientIp } from '../../src/platform/http/client-ip';
import type { FormBody } from '../../src/platform/http/form-body';
import { refuse } from '../../src/vocabulary/errors';
import type { FormCommand, FormWork } from '../http/form-work';
import type { PageSender } from '../http/page-sender';
import type { Language } from '../words/language';
import { PayPage } from './pay.page';
import { payFault, type RefusedPayForm } from './pay-fault';

const SEE_OTHER = 303;
const FORM_ID_BYTES = 16;

type PayPagesParts = {
  readonly queries: QueryBus;
  readonly commands: CommandBus;
  readonly pages: PageSender;
  readonly forms: FormWork;
  readonly entropy: Entropy;
};
type PayRequest = { readonly request: ApiRequest; readonly reply: FastifyReply; readonly id: string };

/** The pages of links: each leads to the checkout of a new payment. */
export class PayPages {
  constructor(private readonly parts: PayPagesParts) {}

  async show(asked: PayRequest): Promise<void> {
    await this.send(asked, await this.view(asked.id), null);
  }

  /** Opens one payment for a form, however often it is sent; a refused form is shown again, with the reason. */
  async open({ form, ...asked }: PayRequest & { readonly form: FormBody }): Promise<void> {
    const { request, reply, id } = asked;
    const { pages, forms } = this.parts;
    const view = await this.view(id);
    const facts = pages.factsFor(request, this.pathOf(id));
    try {
      const amountMinorUnits = amountOf(view, form, facts.language);
      const { mode, merchantId, settings, nowMs } = view;
      const work = async (command: FormCommand): Promise<string> => {
        const opening = { link: id, amountMinorUnits, settings };
        const context = contextOf(view, request, command);
        const opened = await this.parts.commands.execute(new OpenPaymentLink(opening, context));
        return `${pages.root}/checkout/${opened.id}`;
      };
      const path = await forms.once({ mode, merchantId, action: `${id}/open`, form, nowMs }, work);
      const lang = facts.namedLanguage === null ? '' : `?lang=${facts.namedLanguage}`;
      void reply.status(SEE_OTHER).header('location', `${path}${lang}`).send('');
    } catch (error) {
      const fault = payFault(error, { view, typed: form.amount ?? '', language: facts.language });
      request.errorCode = fault.code;
      // The link may have changed, and be the reason of the refusal.
      await this.send(asked, await this.view(id), fault);
    }
  }

  /** Throws Refusal resource_missing, alike for an unknown id and for a text that is no id. */
  private async view(id: string): Promise<PayLinkView> {
    const view = await this.parts.queries.execute(new GetPayLink(id));
    if (!view) throw refuse('resource_missing');
    return view;
  }

  private pathOf(id: string): string {
    return `${this.parts.pages.root}/pay/${id}`;
  }

  private async send(
    { request, reply, id }: PayRequest,
    view: PayLinkView,
    fault: RefusedPayForm | null,
  ): Promise<void> {
    const { pages, entropy } = this.parts;
    const path = this.pathOf(id);
    const formId = Buffer.from(entropy.bytes(FORM_ID_BYTES)).toString('hex');
    const page = h(PayPage, { view, path, formId, fault });
    await pages.send(request, reply, pages.factsFor(request, path), page, fault?.status);
  }
}

/** Null for a fixed link, whose customers choose no amount. Throws the refusals of a text that is none. */
function amountOf({ link }: PayLinkView, { amount }: FormBody, language: Language): bigint | null {
  if (amount === undefined) return null;
  return language.typedMinorUnits(amount, link.currency, link.currency_decimals);
}

function contextOf(
  { mode, merchantId, nowMs }: PayLinkView,
  request: ApiRequest,
  command: FormCommand,
): MerchantContext {
  const asked = { ...command, requestId: request.id, ip: clientIp(request), now: nowMs };
  return checkoutContext({ mode, merchantId }, asked);
}
