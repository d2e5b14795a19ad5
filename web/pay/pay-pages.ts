import { h } from 'preact';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { OpenPaymentLink } from '../../src/modules/payment-links/commands/open-payment-link.command';
import { GetPayLink } from '../../src/modules/payment-links/queries/get-pay-link.query';
import { GetPayLinkTerms } from '../../src/modules/payment-links/queries/get-pay-link-terms.query';
import type { PayLinkTerms, PayLinkView } from '../../src/modules/payment-links/queries/pay-link-view';
import type { FormBody } from '../../src/platform/http/form-body';
import { refuse, type ErrorCode } from '../../src/vocabulary/errors';
import type { CustomerPages, CustomerRequest } from '../http/customer-pages';
import type { Language } from '../words/language';
import { PayPage, type PayFault } from './pay.page';
import { payFault } from './pay-fault';

/** The pages of links: each leads to the checkout of a new payment. */
export class PayPages {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly pages: CustomerPages,
  ) {}

  async show(asked: CustomerRequest): Promise<void> {
    await this.send(asked, await this.view(asked.id));
  }

  /** Opens one payment for a form, however often it is sent; a refused form is shown again, with the reason. */
  async open(asked: CustomerRequest, form: FormBody): Promise<void> {
    const { id } = asked;
    await this.pages.work(asked, {
      kind: 'open',
      form,
      terms: () => this.terms(id),
      read: (terms, language) => {
        const opening = { link: id, amountMinorUnits: amountOf(terms, form, language), settings: terms.payments };
        return async context => {
          const opened = await this.commands.execute(new OpenPaymentLink(opening, context));
          return this.pages.pathOf('checkout', opened.id);
        };
      },
      view: () => this.view(id),
      refused: (refusal, view, language) =>
        this.send(asked, view, payFault(refusal, { view, typed: form.amount ?? '', language }), refusal.code),
    });
  }

  /** Throws Refusal resource_missing, alike for an unknown id and for a text that is no id. */
  private async view(id: string): Promise<PayLinkView> {
    const view = await this.queries.execute(new GetPayLink(id));
    if (!view) throw refuse('resource_missing');
    return view;
  }

  /** Throws Refusal resource_missing, as `view` does. */
  private async terms(id: string): Promise<PayLinkTerms> {
    const terms = await this.queries.execute(new GetPayLinkTerms(id));
    if (!terms) throw refuse('resource_missing');
    return terms;
  }

  private async send(
    asked: CustomerRequest,
    view: PayLinkView,
    fault: PayFault | null = null,
    refusal: ErrorCode | null = null,
  ): Promise<void> {
    const path = this.pages.pathOf('pay', asked.id);
    await this.pages.send(asked, path, formId => h(PayPage, { view, path, formId, fault }), refusal);
  }
}

/** Null for a fixed link, whose customers choose no amount. Throws the refusals of a text that is none. */
function amountOf({ link }: PayLinkTerms, { amount }: FormBody, language: Language): bigint | null {
  if (amount === undefined) return null;
  return language.typedMinorUnits(amount, link.currency, link.currency_decimals);
}
