import { DAY_MS, HOUR_MS, isoTime, parseIsoTime, type Clock } from '../../kernel/clock';
import { uuidV5 } from '../../vocabulary/ids';
import type { Log } from '../../kernel/ports/log';
import type {
  BehindNotice,
  GivenUpNotice,
  LagNotice,
  LostFeeNotice,
  MailKind,
  SetAsideNotice,
} from '../../modules/outbox/mail-kinds';
import type { Outbox } from '../../modules/outbox/outbox';

/** E-mail to the operator of the service. Without an address only the log holds the notices. */
export class OperatorMail {
  constructor(
    private readonly outbox: Outbox,
    private readonly address: string | null,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Safe to call at any time. A message is sent when something is first set aside, and once more each day while it
   * lasts. A message is also sent when nothing more can be set aside. The matters that begin within the same hour count
   * as one, so that nobody can fill a mailbox.
   */
  async tellSetAside(notice: SetAsideNotice): Promise<void> {
    const { mode, network, isFull, since } = notice;
    const sinceMs = parseIsoTime(since);
    // Another process's clock may say that the wait has only just begun.
    const days = Math.max(0, Math.floor((this.clock.now() - sinceMs) / DAY_MS));
    const hour = isoTime(Math.floor(sinceMs / HOUR_MS) * HOUR_MS);
    await this.put(['set_aside', mode, network, isFull, hour, days], { kind: 'set_aside', facts: notice });
  }

  /** Safe to call at any time: a message is sent once for each `since`. */
  async tellBehind(notice: BehindNotice): Promise<void> {
    await this.put(['behind', notice.mode, notice.network, notice.since], { kind: 'behind', facts: notice });
  }

  /** Safe to call at any time, as `tellBehind` is. */
  async tellCaughtUp(notice: LagNotice): Promise<void> {
    const facts = { ...notice, steadyAt: isoTime(this.clock.now()) };
    await this.put(['caught_up', notice.mode, notice.network, notice.since], { kind: 'caught_up', facts });
  }

  async tellHoleClosed(notice: GivenUpNotice): Promise<void> {
    await this.put(['hole_closed', notice.stream], { kind: 'hole_closed', facts: notice });
  }

  async tellDeferralGivenUp(notice: GivenUpNotice): Promise<void> {
    await this.put(['deferral_given_up', notice.stream], { kind: 'deferral_given_up', facts: notice });
  }

  /** Safe to call at any time: a message is sent once for each transfer of a payment. */
  async tellLostFee(notice: LostFeeNotice): Promise<void> {
    const matter = ['lost_fee', notice.paymentIntent, notice.transferId];
    await this.put(matter, { kind: 'lost_fee', facts: notice });
  }

  private async put(matter: readonly (string | number | boolean)[], mail: MailKind): Promise<void> {
    if (this.address === null) return;
    const message = { id: uuidV5(matter.join('\n')), to: this.address, merchantId: null, ...mail };
    const isNew = await this.outbox.put(message, this.clock.now());
    if (isNew) this.log.info({ to: this.address, mail: mail.kind }, 'the operator is told by e-mail');
  }
}
