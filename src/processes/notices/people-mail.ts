import type { Clock } from '../../kernel/clock';
import { invariant } from '../../kernel/invariant';
import type { MailKind } from '../../modules/outbox/mail-kinds';
import type { ReadModels } from '../../kernel/ports/read-models';
import { merchantsReadModel } from '../../modules/merchants/merchants.read-model';
import type { Outbox } from '../../modules/outbox/outbox';
import type { ManyRefusals, RefusedSignInsNotice } from '../../modules/sessions/refused-sign-ins';
import type { AccountLetter, AccountMail } from '../../modules/users/account-mail';
import { uuidV5 } from '../../vocabulary/ids';

/** E-mail to people that no event asks for: links that they have asked for, and tries of others to sign in as them. */
export class PeopleMail implements AccountMail, RefusedSignInsNotice {
  constructor(
    private readonly outbox: Outbox,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  /** No merchant reads such a letter in its outbox: whoever has the link of another person becomes that person. */
  async put(id: string, to: string, letter: AccountLetter): Promise<void> {
    await this.outbox.put({ id, to, merchantId: null, ...(await this.mailOf(letter)) }, this.clock.now());
  }

  async tell({ realm, userId, merchantId, email: to, refusals: failures, at }: ManyRefusals): Promise<void> {
    const id = uuidV5(['sign_ins_failed', userId, at].join('\n'));
    const kind = realm === 'admin' ? 'admin_sign_ins_failed' : 'sign_ins_failed';
    await this.outbox.put({ id, to, merchantId, kind, facts: { failures, at } }, this.clock.now());
  }

  private async mailOf(letter: AccountLetter): Promise<MailKind> {
    if (letter.kind === 'account_exists') return { kind: letter.kind, facts: {} };
    const { token, expiresAt } = letter;
    if (letter.kind === 'admin_invitation')
      return { kind: letter.kind, facts: { token, expiresAt, role: letter.role } };
    if (letter.kind !== 'invitation') return { kind: letter.kind, facts: { token, expiresAt } };
    const merchant = await this.readModels.get(merchantsReadModel, 'platform', letter.merchantId);
    invariant(merchant, `${letter.merchantId} is no merchant`);
    return { kind: letter.kind, facts: { token, expiresAt, role: letter.role, business: merchant.body.name } };
  }
}
