import type { MailSender } from '../kernel/ports/mail';
import { OutboxAccountMail } from '../processes/notices/account-mail';
import { BarredCodesMail } from '../processes/notices/barred-codes-mail';
import { FeeMail } from '../processes/notices/fee-mail';
import { CustomerMailQuota } from '../processes/notices/customer-mail-quota';
import { CUSTOMER_OUTBOX_COLLECTION, CustomerOutbox } from '../processes/notices/customer-outbox';
import { InvoiceMail } from '../processes/notices/invoice-mail';
import { MailDispatch } from '../processes/notices/mail-dispatch';
import { Notices } from '../processes/notices/notices';
import { OperatorMail } from '../processes/notices/operator-mail';
import { Outbox, OUTBOX_COLLECTION, type OutboxDocument } from '../processes/notices/outbox';
import { QueueMail } from '../processes/notices/queue-mail';
import { RefusedSignInsMail } from '../processes/notices/refused-sign-ins-mail';
import type { Core } from './core';
import { customersUrlOf } from './customer-pages';

export type Notifying = {
  readonly notices: Notices;
  readonly operatorMail: OperatorMail;
  readonly barredCodesMail: BarredCodesMail;
  readonly refusedSignInsMail: RefusedSignInsMail;
  readonly accountMail: OutboxAccountMail;
  readonly feeMail: FeeMail;
  readonly mailQuota: CustomerMailQuota;
  /** One for each outbox; none where no mail server is configured: messages stay in the outbox. */
  readonly dispatches: readonly MailDispatch[];
};

export async function composeNotices(core: Core, sender: MailSender | null): Promise<Notifying> {
  const { config, documents, readModels, access, writes, clock, log } = core;
  const { dashboardUrl } = config;
  const outbox = new Outbox(await documents.open<OutboxDocument>(OUTBOX_COLLECTION));
  const customerOutbox = new CustomerOutbox(await documents.open<OutboxDocument>(CUSTOMER_OUTBOX_COLLECTION));
  const mailQuota = await CustomerMailQuota.open(documents, clock);
  const operatorMail = new OperatorMail(outbox, config.operatorEmail, clock, log);
  const barredCodesMail = new BarredCodesMail(outbox, readModels, dashboardUrl, clock);
  const refusedSignInsMail = new RefusedSignInsMail(outbox, dashboardUrl);
  const accountMail = new OutboxAccountMail(outbox, readModels, dashboardUrl, clock);
  const queueMail = new QueueMail({ outbox, readModels, writes, dashboardUrl, clock, log });
  const feeMail = new FeeMail({ outbox, operatorMail, readModels, writes, dashboardUrl, clock, log });
  const invoicesUrl = customersUrlOf(config, 'invoices');
  const customers = { customerOutbox, quota: mailQuota, access, invoicesUrl };
  const invoiceMail = new InvoiceMail({ ...customers, outbox, writes, dashboardUrl, clock, log });
  const told = { outbox, operatorMail, invoiceMail, queueMail, feeMail, readModels, writes, dashboardUrl };
  const notices = new Notices({ ...told, canSend: sender !== null, clock, log });
  const dispatches =
    sender === null
      ? []
      : [
          new MailDispatch(outbox, sender, clock, log),
          new MailDispatch(customerOutbox, sender, clock, log, message => invoiceMail.whyNot(message)),
        ];
  const parts = { notices, operatorMail, barredCodesMail, refusedSignInsMail, accountMail, feeMail, mailQuota };
  return { ...parts, dispatches };
}
