import type { MailText } from '../parts/shown-mail';

/**
 * The newest mail to an address. The service of a developer answers it where it has no mail server, so that links can
 * be followed; every other service answers null.
 */
export interface LastMail {
  to(address: string): Promise<MailText | null>;
}

export const LAST_MAIL = Symbol('LastMail');
