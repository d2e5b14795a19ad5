export type Mail = {
  /** One per message: a second delivery carries the same, so that the receiver can tell. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
};

/**
 * What one attempt came to; never an exception. `deferred` may succeed later; `refused` never will: the receiver said
 * so (a 5xx reply). `detail` is what the server answered, or why none did, in at most 200 characters.
 */
export type MailOutcome = { readonly status: 'sent' | 'deferred' | 'refused'; readonly detail: string };

export interface MailSender {
  send(mail: Mail): Promise<MailOutcome>;
}
