import type { Core } from './core';
import { SmtpMailSender } from '../platform/mail/smtp-mail-sender';
import { MailDispatch } from '../processes/notices/mail-dispatch';
import { Notices } from '../processes/notices/notices';
import { OperatorMail } from '../processes/notices/operator-mail';
import { Outbox, OUTBOX_COLLECTION, type OutboxDocument } from '../processes/notices/outbox';

export type Notifying = {
  readonly notices: Notices;
  /** Null where no mail server is configured: messages stay in the outbox. */
  readonly dispatch: MailDispatch | null;
};

export async function composeOperatorMail({ config, documents, clock, log }: Core): Promise<OperatorMail> {
  const outbox = new Outbox(await documents.open<OutboxDocument>(OUTBOX_COLLECTION));
  return new OperatorMail(outbox, config.operatorEmail, clock, log);
}

export async function composeNotices(core: Core): Promise<Notifying> {
  const { config, documents, readModels, clock, log } = core;
  const { smtp, dashboardUrl } = config;
  const outbox = new Outbox(await documents.open<OutboxDocument>(OUTBOX_COLLECTION));
  const operatorMail = new OperatorMail(outbox, config.operatorEmail, clock, log);
  const notices = new Notices({ outbox, operatorMail, readModels, dashboardUrl, canSend: smtp !== null, clock, log });
  const dispatch = smtp === null ? null : new MailDispatch(outbox, new SmtpMailSender(smtp), clock, log);
  return { notices, dispatch };
}
