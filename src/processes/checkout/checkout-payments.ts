import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';
import type { CustomerTerms } from '../../vocabulary/customer-terms';
import type { CheckoutNaming, CheckoutView } from '../../modules/checkout/queries/checkout-view';
import { GetCheckoutNaming, type NamedCheckout } from '../../modules/checkout/queries/get-checkout-naming.query';
import { GetCheckoutPayment } from '../../modules/checkout/queries/get-checkout-payment.query';
import { GetCheckoutTerms } from '../../modules/checkout/queries/get-checkout-terms.query';
import { GetPlayedPayment } from '../../modules/checkout/queries/get-played-payment.query';
import { presentCheckout } from '../../modules/checkout/queries/present-checkout';
import {
  paymentIntentsReadModel,
  type PaymentIntentDocument,
} from '../../modules/payment-intents/payment-intents.read-model';
import { isPaused } from '../../modules/merchants/merchants.read-model';
import type { AccountNow } from '../../modules/merchants/read-account';
import { mayHaveRestarted, restartId, restartRefusal } from '../../modules/payment-intents/payment-intent.restart';
import { paymentNamings, presentPaymentNaming } from '../../modules/payment-intents/queries/payment-namings';
import { presentPaymentIntent } from '../../modules/payment-intents/queries/payment-intent.presenter';
import { namingsReadModel } from '../../modules/transfers/namings.read-model';
import type { CustomerReads } from '../customer-reads';
import type { SelectionChecks } from '../method-selection/selection-checks';

/** A payment has no more namings than that: customers file few, and a merchant seldom one. */
const NAMINGS_LOOKED_AT = 100;

type CheckoutParts = {
  readonly reads: CustomerReads;
  readonly readModels: ReadModels;
  readonly checks: Pick<SelectionChecks, 'offers'>;
  readonly secretBox: Pick<SecretBox, 'deriveKey'>;
  readonly headNumber: (mode: Mode, network: NetworkId) => Promise<number | null>;
  readonly checkoutUrl: string;
};

type Found = { readonly mode: Mode; readonly body: PaymentIntentDocument };

/** Payments as their customers see them. */
export class CheckoutPayments {
  constructor(private readonly parts: CheckoutParts) {}

  /** Null for an unknown id, and for a text that is no id. */
  async view(id: string): Promise<CheckoutView | null> {
    const found = await this.found(id);
    return found && this.viewOf(id, found, this.accountOf(found));
  }

  /** Null for a payment of another merchant or mode, for an unknown id, and for a text that is no id. */
  async played(id: string, merchantId: string, account: AccountNow): Promise<CheckoutView | null> {
    const found = await this.found(id);
    return found?.mode === 'test' && found.body.merchant_id === merchantId ? this.viewOf(id, found, account) : null;
  }

  /** Null for a naming for another payment, for an unknown one, and for texts that are no ids. */
  async named(id: string, namingId: string): Promise<NamedCheckout | null> {
    const found = isId('tc', namingId) ? await this.found(id) : null;
    const naming = found && (await this.naming(id, found, namingId));
    return found && naming && { view: await this.viewOf(id, found, this.accountOf(found)), naming };
  }

  /** Null for an unknown id, and for a text that is no id. */
  async terms(id: string): Promise<CustomerTerms | null> {
    return (await this.parts.reads.termsOf(paymentIntentsReadModel, 'pi', id))?.terms ?? null;
  }

  private accountOf({ mode, body }: Found): Promise<AccountNow> {
    return this.parts.reads.merchant(mode, body.merchant_id);
  }

  private async viewOf(id: string, found: Found, reading: AccountNow | Promise<AccountNow>): Promise<CheckoutView> {
    const { mode, body } = found;
    const { merchant_id: merchantId, network_id: network } = body;
    const { reads, readModels, checks, headNumber, checkoutUrl } = this.parts;
    const { status, terms } = body.state;
    const [{ account, nowMs }, headOfNetwork, claims] = await Promise.all([
      reading,
      network && headNumber(mode, network),
      paymentNamings(readModels, mode, id, body),
    ]);
    const shop = await reads.shopOf(mode, merchantId, account);
    const offers = status === 'created' ? await checks.offers({ mode, merchantId, terms }, account.methods) : [];
    const resource = presentPaymentIntent(id, body, { checkoutUrl, headNumber: headOfNetwork, nowMs, claims });
    const restartedAs = await this.restartedAs(id, found);
    const isRestartable = restartedAs === null && restartRefusal(body.state) === null;
    const { settings } = account;
    const mayRestart = settings.checkout_restart && !isPaused(account, mode, nowMs) && isRestartable;
    return presentCheckout(body, resource, { shop, settings, nowMs, offers, restartedAs, mayRestart });
  }

  private async naming(id: string, { mode }: Found, namingId: string): Promise<CheckoutNaming | null> {
    const { readModels } = this.parts;
    const equals = { mode, payment_intent: id };
    const query = { index: 'by_payment_time', equals, descending: true, limit: NAMINGS_LOOKED_AT };
    const listed = (await readModels.list(namingsReadModel, query)).find(document => document.id === namingId);
    if (!listed) return null;
    const newest = await readModels.freshen(namingsReadModel, mode, listed, listed.body.namings_id);
    return newest && presentPaymentNaming(namingId, newest.body);
  }

  /** The payment that was started in the place of this one; null where there is none. */
  private async restartedAs(id: string, { mode, body }: Found): Promise<string | null> {
    if (!mayHaveRestarted(body.state)) return null;
    const { readModels, secretBox } = this.parts;
    const successor = restartId(id, await secretBox.deriveKey('ids'));
    return (await readModels.get(paymentIntentsReadModel, mode, successor)) && successor;
  }

  private found(id: string): Promise<Found | null> {
    return this.parts.reads.find(paymentIntentsReadModel, 'pi', id);
  }
}

@QueryHandler(GetCheckoutPayment)
export class GetCheckoutPaymentHandler implements IQueryHandler<GetCheckoutPayment> {
  constructor(private readonly payments: CheckoutPayments) {}

  execute({ paymentIntent }: GetCheckoutPayment): Promise<CheckoutView | null> {
    return this.payments.view(paymentIntent);
  }
}

@QueryHandler(GetPlayedPayment)
export class GetPlayedPaymentHandler implements IQueryHandler<GetPlayedPayment> {
  constructor(private readonly payments: CheckoutPayments) {}

  execute({ paymentIntent, merchantId, account }: GetPlayedPayment): Promise<CheckoutView | null> {
    return this.payments.played(paymentIntent, merchantId, account);
  }
}

@QueryHandler(GetCheckoutTerms)
export class GetCheckoutTermsHandler implements IQueryHandler<GetCheckoutTerms> {
  constructor(private readonly payments: CheckoutPayments) {}

  execute({ paymentIntent }: GetCheckoutTerms): Promise<CustomerTerms | null> {
    return this.payments.terms(paymentIntent);
  }
}

@QueryHandler(GetCheckoutNaming)
export class GetCheckoutNamingHandler implements IQueryHandler<GetCheckoutNaming> {
  constructor(private readonly payments: CheckoutPayments) {}

  execute({ paymentIntent, namingId }: GetCheckoutNaming): Promise<NamedCheckout | null> {
    return this.payments.named(paymentIntent, namingId);
  }
}
