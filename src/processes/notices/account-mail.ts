import type { Clock } from '../../kernel/clock';
import type { ReadModels } from '../../kernel/ports/read-models';
import { merchantsReadModel } from '../../modules/merchants/merchants.read-model';
import type { AccountLetter, AccountMail } from '../../modules/users/account-mail';
import type { NoticeText } from './notice-text';
import type { Outbox } from './outbox';

type LinkPage = 'open-account' | 'new-password' | 'invitation';

/** Mail with the links by which people open accounts, and get back into them. */
export class OutboxAccountMail implements AccountMail {
  constructor(
    private readonly outbox: Outbox,
    private readonly readModels: Pick<ReadModels, 'get'>,
    private readonly dashboardUrl: string,
    private readonly clock: Clock,
  ) {}

  async put(id: string, to: string, letter: AccountLetter): Promise<void> {
    await this.outbox.put({ id, to, ...(await this.textOf(letter)) }, this.clock.now());
  }

  /** Nothing that a stranger has typed stands in the mail to an address that the stranger has typed. */
  private async textOf(letter: AccountLetter): Promise<NoticeText> {
    switch (letter.kind) {
      case 'sign_up_link':
        return {
          subject: 'Open your account',
          text: lines(
            'Somebody has asked to open an account with this e-mail address. This link opens it:',
            this.linkTo('open-account', letter.token),
            `The link works until ${letter.expiresAt}. If this was not you, there is nothing to do.`,
          ),
        };
      case 'account_exists':
        return {
          subject: 'You have an account already',
          text: lines(
            'Somebody has asked to open an account with this e-mail address, which has one.',
            `You can sign in, or set a new password where you have forgotten yours: ${this.dashboardUrl}/sign-in`,
            'If this was not you, there is nothing to do.',
          ),
        };
      case 'reset_link':
        return {
          subject: 'Set a new password',
          text: lines(
            'Somebody has asked for a new password of your account. This link sets it:',
            this.linkTo('new-password', letter.token),
            `The link works until ${letter.expiresAt}. If this was not you, your password stays as it is.`,
          ),
        };
      case 'invitation': {
        const merchant = await this.readModels.get(merchantsReadModel, 'platform', letter.merchantId);
        const business = merchant?.body.name ?? letter.merchantId;
        return {
          subject: `Invitation to the account of ${business}`,
          text: lines(
            `You are invited to sign in for the account of ${business}, as ${letter.role}. This link takes you there:`,
            this.linkTo('invitation', letter.token),
            `The link works until ${letter.expiresAt}. If you do not know this account, there is nothing to do.`,
          ),
        };
      }
    }
  }

  private linkTo(page: LinkPage, token: string): string {
    return `${this.dashboardUrl}/${page}?token=${token}`;
  }
}

function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
