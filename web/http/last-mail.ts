import type { OutboxReader } from '../../src/modules/outbox/queries/outbox-reader';
import type { Config } from '../../src/platform/config/config';
import type { MailText } from '../parts/shown-mail';

/**
 * The newest mail to an address. The service of a developer answers it where it has no mail server, so that links can
 * be followed; every other service answers null.
 */
export interface LastMail {
  to(address: string): Promise<MailText | null>;
}

export const LAST_MAIL = Symbol('LastMail');

/** A service in production never shows mail, and neither does one with a mail server. */
export function lastMailOf(
  { environment, smtp }: Pick<Config, 'environment' | 'smtp'>,
  outbox: Pick<OutboxReader, 'newestLinkTo'>,
): LastMail {
  const isShown = environment !== 'production' && smtp === null;
  return { to: address => (isShown ? outbox.newestLinkTo(address) : Promise.resolve(null)) };
}
