/** The words of a mail, for programs that show markup and for those that do not. */
export type MailText = {
  readonly subject: string;
  readonly text: string;
  /** A whole document. Null for an older message, which has its text alone. */
  readonly html: string | null;
};

export type Mail = MailText & {
  /** One id per message: a second delivery carries the same id, so that the receiver can tell. */
  readonly id: string;
  readonly to: string;
};

/**
 * The outcome of one attempt; never an exception. `deferred` may succeed later; `refused` never will, by the receiver's
 * own word (a 5xx reply). `detail` is the server's answer, or the reason why there was none, in at most 200 characters.
 */
export type MailOutcome = { readonly status: 'sent' | 'deferred' | 'refused'; readonly detail: string };

export interface MailSender {
  send(mail: Mail): Promise<MailOutcome>;
}
