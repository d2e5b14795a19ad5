import type { Clock } from '../../kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { GroupMessage } from '../../kernel/ports/event-store';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import type { CoverageHoleEvent } from '../../modules/coverage/coverage-hole.events';
import type { DeferredTransferEvent } from '../../modules/coverage/deferred-transfer.events';
import type { FeeInvoiceEvent } from '../../modules/fees/fee-invoice.events';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { PaymentUnderpaid, SettledTransferLost } from '../../modules/payment-intents/payment-intent.events';
import { isMerchantsToConfirm } from '../../modules/payment-intents/payment-intent.outcome';
import type { RouteEvent, RouteSet } from '../../modules/routes/route.events';
import type { TransferUnmatched } from '../../modules/transfers/transfer.events';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import type { WebhookEndpointDisabled, WebhookEndpointEvent } from '../../modules/webhooks/webhook-endpoint.events';
import { webhookEndpointsReadModel } from '../../modules/webhooks/webhook-endpoints.read-model';
import { endpointDisabled, paymentInferred, routeChanged, transferLost, type NoticeText } from './notice-text';
import type { FeeMail } from './fee-mail';
import { isTelling, type InvoiceMail } from './invoice-mail';
import type { OperatorMail } from './operator-mail';
import type { Outbox } from './outbox';
import type { QueueMail } from './queue-mail';
import { recipientOf } from './recipient';

type NoticesParts = {
  readonly outbox: Outbox;
  readonly operatorMail: Pick<OperatorMail, 'tellHoleClosed' | 'tellDeferralGivenUp'>;
  readonly invoiceMail: Pick<InvoiceMail, 'tell'>;
  readonly queueMail: Pick<QueueMail, 'tell'>;
  readonly feeMail: Pick<FeeMail, 'tell'>;
  readonly readModels: ReadModels;
  readonly writes: Pick<WritePath, 'load'>;
  readonly dashboardUrl: string;
  /** False: no mail server is configured, so messages stay in the outbox. */
  readonly canSend: boolean;
  readonly clock: Clock;
  readonly log: Log;
};

/** The categories whose events notices follow. */
export const NOTICE_CATEGORIES = [
  'routes', 'webhook_endpoint', 'payment_intent', 'transfer', 'coverage_hole', 'deferred_transfer',
  'fee_invoice', 'invoice',
] as const; // prettier-ignore

type MerchantEvent = RouteEvent | WebhookEndpointEvent | PaymentUnderpaid | SettledTransferLost;
type OperatorEvent = CoverageHoleEvent | DeferredTransferEvent;

/**
 * Puts e-mails to merchants, to their customers and to the operator into the outbox. A merchant gets one where a route
 * is changed, or an endpoint is switched off for its failures. A merchant also gets one where a chain takes back the
 * transfer of a settled payment, and where transfers wait in the queue. Another one goes out where a payment waits for
 * the merchant's word on an inferred transfer, or an invoice is paid again. Customers get their invoices and reminders.
 * The operator gets one where somebody gives a block or a transfer up. `FeeMail` tells both about fees. A second run
 * finds the message standing, because the message's id follows from the event.
 */
export class Notices {
  constructor(private readonly parts: NoticesParts) {}

  async handle({ event }: GroupMessage): Promise<void> {
    await this.tellOperator(event as RecordedEvent<OperatorEvent>);
    if (event.type === 'TransferUnmatched') await this.parts.queueMail.tell(event as RecordedEvent<TransferUnmatched>);
    if (event.type === 'FeeInvoiceIssued' || event.type === 'SettledTransferLost')
      await this.parts.feeMail.tell(event as RecordedEvent<FeeInvoiceEvent | SettledTransferLost>);
    if (isTelling(event)) await this.parts.invoiceMail.tell(event);
    const notice = await this.noticeOf(event as RecordedEvent<MerchantEvent>);
    if (notice === null) return;
    const { outbox, readModels, clock, log, canSend } = this.parts;
    const to = await recipientOf(readModels, event.metadata.merchant_id);
    const put = await outbox.put({ id: event.id, to, ...notice }, clock.now());
    if (put && !canSend) log.info({ to, subject: notice.subject }, 'no mail server: the message is kept in the outbox');
  }

  private async tellOperator(event: RecordedEvent<OperatorEvent>): Promise<void> {
    const { operatorMail } = this.parts;
    const { stream, metadata } = event;
    const givenUp = { stream, givenUpBy: metadata.actor.id, at: metadata.occurred_at };
    if (event.type === 'CoverageHoleClosed') await operatorMail.tellHoleClosed({ ...givenUp, why: event.data.note });
    if (event.type === 'DeferredTransferGivenUp')
      await operatorMail.tellDeferralGivenUp({ ...givenUp, why: event.data.reason });
  }

  private async noticeOf(event: RecordedEvent<MerchantEvent>): Promise<NoticeText | null> {
    switch (event.type) {
      case 'RouteSet':
        return event.data.changed ? this.ofRoute(event) : null;
      case 'WebhookEndpointDisabled':
        return event.data.reason === 'sustained_failure' ? this.ofEndpoint(event) : null;
      case 'PaymentUnderpaid':
        return this.ofUnderpaid(event);
      case 'SettledTransferLost':
        return transferLost(event, parseStreamName(event.stream).id, this.parts.dashboardUrl);
      default:
        return null;
    }
  }

  private async ofRoute(event: RecordedEvent<RouteSet>): Promise<NoticeText> {
    const { universe } = parseStreamName(event.stream);
    const wallet = await this.parts.readModels.get(walletsReadModel, universe, event.data.wallet_id);
    invariant(wallet, `${event.stream} routes to ${event.data.wallet_id}, which is no wallet`);
    return routeChanged(event, wallet.body.address, this.parts.dashboardUrl);
  }

  /** Null where the payment waits for its remainder, or its merchant has decided since. */
  private async ofUnderpaid({ stream }: RecordedEvent<PaymentUnderpaid>): Promise<NoticeText | null> {
    const { universe, id } = parseStreamName(stream);
    const { state } = await this.parts.writes.load(paymentIntents, universe, id);
    const isWaiting = state.status === 'underpaid' && state.ledger.review === 'pending' && isMerchantsToConfirm(state);
    return isWaiting ? paymentInferred({ mode: universe, id, payment: state }, this.parts.dashboardUrl) : null;
  }

  private async ofEndpoint(event: RecordedEvent<WebhookEndpointDisabled>): Promise<NoticeText> {
    const { universe, id } = parseStreamName(event.stream);
    const endpoint = await this.parts.readModels.get(webhookEndpointsReadModel, universe, id);
    invariant(endpoint, `${event.stream} is of no endpoint`);
    return endpointDisabled(event, id, new URL(endpoint.body.url).host, this.parts.dashboardUrl);
  }
}
