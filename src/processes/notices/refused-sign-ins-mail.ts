import { parseIsoTime } from '../../kernel/clock';
import type { ManyRefusals, RefusedSignInsNotice } from '../../modules/sessions/refused-sign-ins';
import { uuidV5 } from '../../vocabulary/ids';
import type { Outbox } from './outbox';

/** E-mail to a user whom somebody else seems to sign in as. The caller tells once an hour at most. */
export class RefusedSignInsMail implements RefusedSignInsNotice {
  constructor(
    private readonly outbox: Outbox,
    private readonly dashboardUrl: string,
  ) {}

  async tell({ userId, email, refusals, at }: ManyRefusals): Promise<void> {
    const text = [
      `Within the last hour, ${refusals} tries to sign in as you were refused. The newest one came at ${at}.`,
      '',
      'Your account is not locked: networks that failed are slowed down, and yours is not one of them.',
      `If this was not you, choose another password and look at your sessions: ${this.dashboardUrl}`,
    ];
    const id = uuidV5(['refused_sign_ins', userId, at].join('\n'));
    const subject = `${refusals} tries to sign in as you were refused`;
    await this.outbox.put({ id, to: email, subject, text: text.join('\n') }, parseIsoTime(at));
  }
}
