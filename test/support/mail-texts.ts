import { MailTemplates } from '../../web/mail/mail-templates';

export const DASHBOARD_URL = 'https://pay.example/dashboard';
export const CONSOLE_URL = 'https://pay.example/console';
export const INVOICES_URL = 'https://pay.example/invoices';

/** The words of all mails, with links to a service that nobody asks. */
export const MAIL_TEXTS = new MailTemplates({
  dashboardUrl: DASHBOARD_URL,
  consoleUrl: CONSOLE_URL,
  invoicesUrl: INVOICES_URL,
});

/** A mail whose words matter to no test. */
export const ANY_MAIL = { kind: 'account_exists', facts: {} } as const;
