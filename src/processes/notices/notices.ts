import { HOUR_MS, type Clock } from '../../kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { GroupMessage } from '../../kernel/ports/event-store';
import type { Log } from '../../kernel/ports/log';
import type { MailKind } from '../../modules/outbox/mail-kinds';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import type { CoverageHoleEvent } from '../../modules/coverage/coverage-hole.events';
import type { DeferredTransferEvent } from '../../modules/coverage/deferred-transfer.events';
import type { FeeInvoiceEvent } from '../../modules/fees/fee-invoice.events';
import type { Outbox } from '../../modules/outbox/outbox';
import type { SettledTransferLost } from '../../modules/payment-intents/payment-intent.events';
import type { TransferUnmatched } from '../../modules/transfers/transfer.events';
import { uuidV5 } from '../../vocabulary/ids';
import { AccessNotices, type AccessEvent } from './access-notices';
import type { FeeMail } from './fee-mail';
import { isTelling, type InvoiceMail } from './invoice-mail';
import { PeopleNotices, type PeopleEvent, type PersonalNotice } from './people-notices';
import { MoneyNotices, type MoneyEvent } from './money-notices';
import type { OperatorMail } from './operator-mail';
import type { QueueMail } from './queue-mail';
import { addressOf, isMuted, otherAdminOwners, otherOwnersOf, recipientOf } from './recipient';

type NoticesParts = {
  readonly outbox: Outbox;
  readonly operatorMail: Pick<OperatorMail, 'tellHoleClosed' | 'tellDeferralGivenUp'>;
  readonly invoiceMail: Pick<InvoiceMail, 'tell'>;
  readonly queueMail: Pick<QueueMail, 'tell'>;
  readonly feeMail: Pick<FeeMail, 'tell'>;
  readonly readModels: ReadModels;
  readonly writes: Pick<WritePath, 'load'>;
  /** False: no mail server is configured, so messages stay in the outbox. */
  readonly canSend: boolean;
  readonly clock: Clock;
  readonly log: Log;
};

/** The categories whose events notices follow. */
export const NOTICE_CATEGORIES = [
  'routes', 'webhook_endpoint', 'api_key', 'payment_intent', 'transfer', 'coverage_hole', 'deferred_transfer',
  'fee_invoice', 'invoice', 'user', 'session', 'session_policy', 'admin', 'admin_session',
] as const; // prettier-ignore

/**
 * Mails of one kind to one reader in an hour, after which such changes of keys, routes and sign-ins are mailed no more.
 */
export const NOTICES_AN_HOUR = 50;

type OperatorEvent = CoverageHoleEvent | DeferredTransferEvent;

/**
 * Puts the mails that events ask for into the outbox. `AccessNotices` and `MoneyNotices` have those to merchants, and
 * `PeopleNotices` those to one person. The other mails are told by a part for each: invoices, the queue, fees, and the
 * matters of the operator. A second run finds the message standing, because the message's id follows from the event.
 */
export class Notices {
  private readonly accessNotices: AccessNotices;
  private readonly moneyNotices: MoneyNotices;
  private readonly peopleNotices: PeopleNotices;

  constructor(private readonly parts: NoticesParts) {
    this.accessNotices = new AccessNotices(parts.readModels);
    this.moneyNotices = new MoneyNotices(parts.writes);
    this.peopleNotices = new PeopleNotices(parts.writes);
  }

  async handle({ event }: GroupMessage): Promise<void> {
    await this.tellOperator(event as RecordedEvent<OperatorEvent>);
    if (event.type === 'TransferUnmatched') await this.parts.queueMail.tell(event as RecordedEvent<TransferUnmatched>);
    if (event.type === 'FeeInvoiceIssued' || event.type === 'SettledTransferLost')
      await this.parts.feeMail.tell(event as RecordedEvent<FeeInvoiceEvent | SettledTransferLost>);
    if (isTelling(event)) await this.parts.invoiceMail.tell(event);
    const ofMoney = await this.moneyNotices.noticeOf(event as RecordedEvent<MoneyEvent>);
    if (ofMoney !== null) await this.tellMerchant(event, ofMoney);
    const ofAccess = await this.accessNotices.noticeOf(event as RecordedEvent<AccessEvent>);
    if (ofAccess !== null) await this.tellMerchant(event, ofAccess, true);
    const personal = await this.peopleNotices.noticeOf(event as RecordedEvent<PeopleEvent>);
    if (personal !== null) await this.tellPeople(event, personal);
  }

  private async tellOperator(event: RecordedEvent<OperatorEvent>): Promise<void> {
    const { operatorMail } = this.parts;
    const { stream, metadata } = event;
    const givenUp = { stream, givenUpBy: metadata.actor.id, at: metadata.occurred_at };
    if (event.type === 'CoverageHoleClosed')
      await operatorMail.tellHoleClosed({ ...givenUp, mode: parseStreamName(stream).universe, why: event.data.note });
    if (event.type === 'DeferredTransferGivenUp') {
      const { universe: mode } = parseStreamName(stream);
      await operatorMail.tellDeferralGivenUp({ ...givenUp, mode, why: event.data.reason });
    }
  }

  /**
   * A program that changes keys without end fills neither a mailbox nor the outbox that others wait in. Kinds and
   * readers count apart: nobody silences the mail about one change by many others of their own.
   */
  private async hasRoom(event: RecordedEvent, to: string, { kind }: MailKind): Promise<boolean> {
    const { outbox, clock, log } = this.parts;
    const { merchant_id: merchantId } = event.metadata;
    const isFull = await outbox.hasPutSince({ merchantId, to, kind }, clock.now() - HOUR_MS, NOTICES_AN_HOUR);
    if (isFull) log.warn({ merchant: merchantId, mail: kind }, 'a change is not mailed: its reader had much such mail');
    return !isFull;
  }

  private async tellMerchant(event: RecordedEvent, mail: MailKind, isBounded = false): Promise<void> {
    const { readModels, writes } = this.parts;
    const { mode, merchant_id: merchantId } = event.metadata;
    if (await isMuted(writes, mode, merchantId, mail.kind)) return;
    const to = await recipientOf(readModels, merchantId);
    if (!isBounded || (await this.hasRoom(event, to, mail))) await this.put(event, to, mail);
  }

  /** An operator's reset is told however much mail the account had, and to the other owners too. */
  private async tellPeople(event: RecordedEvent, { userId, mail }: PersonalNotice): Promise<void> {
    const { readModels } = this.parts;
    const isReset = mail.kind === 'authenticator_reset';
    const email = await addressOf(readModels, userId);
    if (!isReset && !(await this.hasRoom(event, email, mail))) return;
    await this.put(event, email, mail);
    if (!isReset) return;
    const told = { kind: 'authenticator_of_other_reset', facts: { email, ...mail.facts } } as const;
    const owners =
      mail.facts.realm === 'admin'
        ? await otherAdminOwners(readModels, userId)
        : await otherOwnersOf(readModels, merchantOf(event), userId);
    for (const { id, body } of owners)
      await this.put({ ...event, id: uuidV5([event.id, id].join('\n')) }, body.email, told);
  }

  private async put({ id, metadata: { merchant_id: merchantId } }: RecordedEvent, to: string, mail: MailKind) {
    const { outbox, clock, log, canSend } = this.parts;
    const isPut = await outbox.put({ id, to, merchantId, ...mail }, clock.now());
    if (isPut && !canSend) log.info({ to, mail: mail.kind }, 'no mail server: the message is kept in the outbox');
  }
}

function merchantOf({ metadata }: RecordedEvent): string {
  invariant(metadata.merchant_id !== null, 'a notice is for a merchant');
  return metadata.merchant_id;
}
