import { DAY_MS, HOUR_MS, isoTime, parseIsoTime, type Clock } from '../../kernel/clock';
import { uuidV5 } from '../../vocabulary/ids';
import type { Log } from '../../kernel/ports/log';
import { adjustmentSuggested, type LostFeeNotice } from './fee-notice-text';
import {
  behind,
  caughtUp,
  deferralGivenUp,
  holeClosed,
  setAside,
  type BehindNotice,
  type GivenUpNotice,
  type LagNotice,
  type NoticeText,
  type SetAsideNotice,
} from './notice-text';
import type { Outbox } from './outbox';

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
    await this.put(['set_aside', mode, network, isFull, hour, days], setAside(notice));
  }

  /** Safe to call at any time: a message is sent once for each `since`. */
  async tellBehind(notice: BehindNotice): Promise<void> {
    await this.put(['behind', notice.mode, notice.network, notice.since], behind(notice));
  }

  /** Safe to call at any time, as `tellBehind` is. */
  async tellCaughtUp(notice: LagNotice): Promise<void> {
    await this.put(['caught_up', notice.mode, notice.network, notice.since], caughtUp(notice, this.clock.now()));
  }

  async tellHoleClosed(notice: GivenUpNotice): Promise<void> {
    await this.put(['hole_closed', notice.stream], holeClosed(notice));
  }

  async tellDeferralGivenUp(notice: GivenUpNotice): Promise<void> {
    await this.put(['deferral_given_up', notice.stream], deferralGivenUp(notice));
  }

  /** Safe to call at any time: a message is sent once for each transfer of a payment. */
  async tellLostFee(notice: LostFeeNotice): Promise<void> {
    await this.put(['lost_fee', notice.paymentIntent, notice.transferId], adjustmentSuggested(notice));
  }

  private async put(matter: readonly (string | number | boolean)[], text: NoticeText): Promise<void> {
    if (this.address === null) return;
    const isNew = await this.outbox.put({ id: uuidV5(matter.join('\n')), to: this.address, ...text }, this.clock.now());
    if (isNew) this.log.info({ to: this.address, subject: text.subject }, 'the operator is told by e-mail');
  }
}
