import { isoTime, type Clock } from '../../kernel/clock';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { BarredCodes, BarredCodesNotice } from '../../modules/users/wrong-codes';
import { uuidV5 } from '../../vocabulary/ids';
import type { Outbox } from '../../modules/outbox/outbox';
import { recipientOf } from './recipient';

/**
 * E-mail to the merchant where a limit of wrong one-time codes is reached. Safe to call at any time. A message is sent
 * once for each key or user and count in each period, so that nobody can fill a mailbox.
 */
export class BarredCodesMail implements BarredCodesNotice {
  constructor(
    private readonly outbox: Outbox,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  async tell(codes: BarredCodes): Promise<void> {
    const { merchantId, keyId, barred, period } = codes;
    // Refused sign-ins are told to the administrator by a mail of their own.
    if (merchantId === null) return;
    const to = await recipientOf(this.readModels, merchantId);
    const isOfRevoking = barred.tally === 'wrong_revoke_at';
    const matter = isOfRevoking ? 'revoke_codes_barred' : 'codes_barred';
    const id = uuidV5([matter, merchantId, barred.kind, barred.id, period].join('\n'));
    const nowMs = this.clock.now();
    const { kind, limit } = barred;
    const facts = { keyId, barred: { kind, id: barred.id, limit }, isOfRevoking, at: isoTime(nowMs) };
    await this.outbox.put({ id, to, merchantId, kind: 'codes_barred', facts }, nowMs);
  }
}
