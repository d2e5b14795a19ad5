import 'reflect-metadata';
import type { MerchantContext } from '../../src/kernel/command-context';
import type { ActorRole } from '../../src/kernel/event';
import type { Core } from '../../src/composition/core';
import type { NetworkId } from '../../src/vocabulary/networks';
import { draftOf, type DraftInvoiceDto } from '../../src/modules/invoices/api/invoices.contract';
import { DraftInvoice, DraftInvoiceHandler } from '../../src/modules/invoices/commands/draft-invoice.command';
import { paymentSettingsOf } from '../../src/modules/merchants/read-account';
import {
  RestartPayment,
  RestartPaymentHandler,
} from '../../src/modules/payment-intents/commands/restart-payment.command';
import {
  CreatePaymentLink,
  CreatePaymentLinkHandler,
} from '../../src/modules/payment-links/commands/create-payment-link.command';
import {
  DeactivatePaymentLink,
  DeactivatePaymentLinkHandler,
} from '../../src/modules/payment-links/commands/deactivate-payment-link.command';
import { OpenPaymentLink } from '../../src/modules/payment-links/commands/open-payment-link.command';
import { accountNow } from '../support/payment-terms';
import type { Clients } from './clients';
import type { Shop } from './shops';

export type LinkTerms = CreatePaymentLink['terms'];
export type KnownLink = { readonly id: string; readonly shop: Shop; readonly terms: LinkTerms };
export type KnownInvoice = {
  readonly id: string;
  readonly shop: Shop;
  /** The payments whose issue was answered, the newest last. */
  readonly payments: string[];
};

/** An answer to a merchant: its event must be in the log ever after. */
export type Answer = { readonly stream: string; readonly event: string };

/** Merchants' programs that make links and invoices, and the pages of their customers. */
export class Business {
  readonly answers: Answer[] = [];
  private readonly linksById = new Map<string, KnownLink>();
  private readonly invoicesById = new Map<string, KnownInvoice>();

  constructor(private readonly clients: Clients) {}

  get links(): readonly KnownLink[] {
    return [...this.linksById.values()];
  }

  get invoices(): readonly KnownInvoice[] {
    return [...this.invoicesById.values()];
  }

  /** Customers come as soon as the link is answered. */
  createLink(shop: Shop, terms: LinkTerms, opened: (link: KnownLink) => void): void {
    this.clients.ask(shop, 'merchant', async ({ core, service }, context) => {
      const handler = new CreatePaymentLinkHandler(core.writes, service.parts.rates, core.secretBox);
      const { id } = await handler.execute(new CreatePaymentLink(terms, context));
      const link = { id, shop, terms };
      this.linksById.set(id, link);
      opened(link);
      return this.answered(`payment_link-${id}`, 'PaymentLinkCreated');
    });
  }

  deactivate({ id, shop }: KnownLink): void {
    this.clients.ask(shop, 'merchant', async ({ core }, context) => {
      await new DeactivatePaymentLinkHandler(core.writes).execute(new DeactivatePaymentLink(id, context));
      return this.answered(`payment_link-${id}`, 'PaymentLinkDeactivated');
    });
  }

  /** A customer opens the link's page, or the merchant's program the link; either leads to a payment on the network. */
  open({ id: link, shop }: KnownLink, amountMinorUnits: bigint | null, network: NetworkId, role: ActorRole): void {
    this.clients.ask(shop, role, async ({ core, service }, context) => {
      const opening = { link, amountMinorUnits, settings: await settingsNow(core, context) };
      const { id: paymentIntent } = await service.parts.linkPayments.open(new OpenPaymentLink(opening, context));
      this.clients.select(shop, paymentIntent, network);
      return { paymentIntent, event: 'PaymentIntentCreated', shop };
    });
  }

  /** A customer starts a payment anew that has ended without money. */
  restart(shop: Shop, former: string, network: NetworkId): void {
    this.clients.ask(shop, 'checkout', async ({ core, service }, context) => {
      const { writes, access, secretBox } = core;
      const { rates, payments } = service.parts;
      const handler = new RestartPaymentHandler(writes, rates, secretBox, payments.velocity);
      const account = await accountNow(access, context.universe, context.merchantId);
      const settings = paymentSettingsOf(account, context.universe, context.now);
      const terms = { payments: settings, allowsRestart: account.settings.checkout_restart };
      const paymentIntent = await handler.execute(new RestartPayment(former, terms, context));
      this.clients.select(shop, paymentIntent, network);
      return { paymentIntent, event: 'PaymentIntentCreated', shop };
    });
  }

  /** Drafts an invoice, and issues it at once where a network for its payment is given. */
  draft(shop: Shop, body: DraftInvoiceDto, network: NetworkId | null): void {
    this.clients.ask(shop, 'api', async ({ core, service }, context) => {
      const { settings, limits } = await accountNow(core.access, context.universe, context.merchantId);
      const { invoice_prefix: prefix, enabled_tokens: enabledTokens } = settings;
      const order = { prefix, enabledTokens, limits, draft: draftOf(body, settings) };
      const { writes, store, secretBox } = core;
      const handler = new DraftInvoiceHandler(writes, service.parts.rates, store, secretBox);
      const { id } = await handler.execute(new DraftInvoice(order, context));
      const known = this.invoicesById.get(id) ?? { id, shop, payments: [] };
      this.invoicesById.set(id, known);
      if (network !== null) this.issue(known, network, 'api');
      return this.answered(`invoice-${id}`, 'InvoiceDrafted');
    });
  }

  /** The merchant issues the invoice, or its customer pays on its page. */
  issue({ id, shop, payments }: KnownInvoice, network: NetworkId, role: 'api' | 'checkout'): void {
    this.clients.ask(shop, role, async ({ core, service }, context) => {
      const settings = await settingsNow(core, context);
      const { paymentIntent } = await service.parts.invoicing.payments.issue(id, settings, context);
      if (!payments.includes(paymentIntent)) payments.push(paymentIntent);
      this.clients.select(shop, paymentIntent, network);
      return { paymentIntent, event: 'PaymentIntentCreated', shop };
    });
  }

  void({ id, shop }: KnownInvoice): void {
    this.clients.ask(shop, 'merchant', async ({ service }, context) => {
      await service.parts.invoicing.payments.void(id, context);
      return this.answered(`invoice-${id}`, 'InvoiceVoided');
    });
  }

  private answered(stream: string, event: string): null {
    this.answers.push({ stream, event });
    return null;
  }
}

/** The merchant's settings as of now, as each request reads them. */
async function settingsNow({ access }: Core, { universe, merchantId, now }: MerchantContext) {
  return paymentSettingsOf(await accountNow(access, universe, merchantId), universe, now);
}
