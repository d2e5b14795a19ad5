import type { Clock } from '../../kernel/clock';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { BarredCodes, BarredCodesNotice } from '../../modules/users/wrong-codes';
import { uuidV5 } from '../../vocabulary/ids';
import { codesBarred } from './notice-text';
import type { Outbox } from './outbox';
import { recipientOf } from './recipient';

/**
 * E-mail to the merchant where a limit of wrong one-time codes is reached. Safe to call at any time. A message is sent
 * once for each key or user and count in each period, so that nobody can fill a mailbox.
 */
export class BarredCodesMail implements BarredCodesNotice {
  constructor(
    private readonly outbox: Outbox,
    private readonly readModels: ReadModels,
    private readonly dashboardUrl: string,
    private readonly clock: Clock,
  ) {}

  async tell(codes: BarredCodes): Promise<void> {
    const { merchantId, barred, period } = codes;
    const to = await recipientOf(this.readModels, merchantId);
    const kind = barred.tally === 'wrong_revoke_at' ? 'revoke_codes_barred' : 'codes_barred';
    const id = uuidV5([kind, merchantId, barred.kind, barred.id, period].join('\n'));
    const nowMs = this.clock.now();
    await this.outbox.put({ id, to, ...codesBarred(codes, nowMs, this.dashboardUrl) }, nowMs);
  }
}
