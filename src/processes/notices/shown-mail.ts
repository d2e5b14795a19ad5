import { BoundedMap } from '../../kernel/bounded-map';
import type { Outbox } from '../../modules/outbox/outbox';
import type { AccountLetter, AccountMail } from '../../modules/users/account-mail';
import { checkedEmail } from '../../modules/users/registration';

const ADDRESSES = 100;

/** A mail as its receiver reads it. */
type Shown = { readonly to: string; readonly subject: string; readonly text: string };

/**
 * Mail to people that pages show, for a developer without a mail server. Memory holds the newest mail's id for each
 * address; the outbox holds the mail.
 */
export class ShownMail implements AccountMail {
  private readonly newest = new BoundedMap<string, string>(ADDRESSES);

  constructor(
    private readonly mail: AccountMail,
    private readonly outbox: Pick<Outbox, 'find'>,
  ) {}

  async put(id: string, to: string, letter: AccountLetter): Promise<void> {
    await this.mail.put(id, to, letter);
    this.newest.set(to, id);
  }

  /** The newest mail to the address, as people type it. Throws Refusal parameter_invalid for a text that is none. */
  async to(address: string): Promise<Shown | null> {
    const id = this.newest.get(checkedEmail(address));
    const found = id === undefined ? null : await this.outbox.find(id);
    return found && { to: found.body.to, subject: found.body.subject, text: found.body.text };
  }
}
