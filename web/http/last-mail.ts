/** A mail as its receiver reads it. */
export type ShownMail = { readonly to: string; readonly subject: string; readonly text: string };

/**
 * The newest mail to an address. The service of a developer answers it where it has no mail server, so that links can
 * be followed; every other service answers null.
 */
export interface LastMail {
  to(address: string): Promise<ShownMail | null>;
}

export const LAST_MAIL = Symbol('LastMail');
