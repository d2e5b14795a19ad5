import type { Provider } from '@nestjs/common';
import type { MailSender } from '../kernel/ports/mail';
import { CustomerOutbox } from '../modules/outbox/customer-outbox';
import { CUSTOMER_OUTBOX_COLLECTION, Outbox, OUTBOX_COLLECTION, type OutboxDocument } from '../modules/outbox/outbox';
import { REFUSED_SIGN_INS_NOTICE } from '../modules/sessions/refused-sign-ins';
import { ACCOUNT_MAIL } from '../modules/users/account-mail';
import { BARRED_CODES_NOTICE } from '../modules/users/wrong-codes';
import { BarredCodesMail } from '../processes/notices/barred-codes-mail';
import { FeeMail } from '../processes/notices/fee-mail';
import { CustomerMailQuota } from '../processes/notices/customer-mail-quota';
import { InvoiceMail } from '../processes/notices/invoice-mail';
import { MailDispatch } from '../processes/notices/mail-dispatch';
import { Notices } from '../processes/notices/notices';
import { PeopleMail } from '../processes/notices/people-mail';
import { OperatorMail } from '../processes/notices/operator-mail';
import { QueueMail } from '../processes/notices/queue-mail';
import { MailTemplates } from '../../web/mail/mail-templates';
import { customersUrlOf } from '../platform/http/page-roots';
import type { Core } from './core';

export type Notifying = {
  readonly notices: Notices;
  readonly operatorMail: OperatorMail;
  readonly barredCodesMail: BarredCodesMail;
  readonly feeMail: FeeMail;
  readonly peopleMail: PeopleMail;
  readonly mailQuota: CustomerMailQuota;
  /** One for each outbox; none where no mail server is configured: messages stay in the outbox. */
  readonly dispatches: readonly MailDispatch[];
};

export async function composeNotices(core: Core, sender: MailSender | null): Promise<Notifying> {
  const { config, documents, readModels, access, writes, clock, log } = core;
  const { dashboardUrl, consoleUrl } = config;
  const texts = new MailTemplates({
    dashboardUrl,
    consoleUrl,
    invoicesUrl: customersUrlOf(config, 'invoices'),
  });
  const outbox = new Outbox(await documents.open<OutboxDocument>(OUTBOX_COLLECTION), texts);
  const customerOutbox = new CustomerOutbox(await documents.open<OutboxDocument>(CUSTOMER_OUTBOX_COLLECTION), texts);
  const mailQuota = await CustomerMailQuota.open(documents, clock);
  const operatorMail = new OperatorMail(outbox, config.operatorEmail, clock, log);
  const barredCodesMail = new BarredCodesMail(outbox, readModels, clock);
  const peopleMail = new PeopleMail(outbox, readModels, clock);
  const queueMail = new QueueMail({ outbox, readModels, writes, clock, log });
  const feeMail = new FeeMail({ outbox, operatorMail, readModels, writes, clock, log });
  const customers = { customerOutbox, quota: mailQuota, access };
  const invoiceMail = new InvoiceMail({ ...customers, outbox, writes, clock, log });
  const told = { outbox, operatorMail, invoiceMail, queueMail, feeMail, readModels, writes };
  const notices = new Notices({ ...told, canSend: sender !== null, clock, log });
  const dispatches =
    sender === null
      ? []
      : [
          new MailDispatch(outbox, sender, clock, log, message => queueMail.whyNot(message)),
          new MailDispatch(customerOutbox, sender, clock, log, message => invoiceMail.whyNot(message)),
        ];
  return { notices, operatorMail, barredCodesMail, feeMail, peopleMail, mailQuota, dispatches };
}

/** The mail that the modules of people ask for. */
export function peopleMailPorts({
  barredCodesMail,
  peopleMail,
}: Pick<Notifying, 'barredCodesMail' | 'peopleMail'>): readonly Provider[] {
  return [
    { provide: BARRED_CODES_NOTICE, useValue: barredCodesMail },
    { provide: REFUSED_SIGN_INS_NOTICE, useValue: peopleMail },
    { provide: ACCOUNT_MAIL, useValue: peopleMail },
  ];
}
