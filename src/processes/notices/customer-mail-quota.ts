import { DAY_MS, isoTime, parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import { guardedTries } from '../../kernel/write-over';
import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';

/** Mails to customers that an account sends on a day of UTC. In test mode they go to the account itself. */
export const MAILS_A_DAY: Readonly<Record<Mode, number>> = { live: 500, test: 100 };
/** Mail that finds no room within so many days is not sent: nobody waits for it any more. */
export const DAYS_AHEAD = 7;
/** Where several count at once, one of them succeeds in each round. */
const GUARDED_TRIES = 16;

/** The newest day that has mails, which may lie ahead, and their number. All days before it are full or over. */
type MailDays = { readonly day: string; readonly mails: number };

const CUSTOMER_MAIL_DAYS: CollectionSpec = { name: 'customer_mail_days', indexes: {} };

type MailRoom = {
  /** The mail may go out from then on. */
  readonly dueMs: number;
  /** The first mail of a later day than today, since the days before are full. */
  readonly opensDay: boolean;
};

/** Lets an account mail so many customers a day. A mail beyond that gets the next day with room. */
export class CustomerMailQuota {
  private constructor(
    private readonly days: Collection<MailDays>,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, clock: Clock): Promise<CustomerMailQuota> {
    return new CustomerMailQuota(await documents.open<MailDays>(CUSTOMER_MAIL_DAYS), clock);
  }

  /** The seconds after which the account has room again; null where it has room today. */
  async waitSeconds(mode: Mode, merchantId: string): Promise<number | null> {
    const nowMs = this.clock.now();
    const dayMs = nextRoom(mode, (await this.days.get(idOf(mode, merchantId)))?.body ?? null, nowMs).dayMs;
    return dayMs <= nowMs ? null : Math.ceil((dayMs - nowMs) / SECOND_MS);
  }

  /**
   * Counts one mail. Null where the coming days are full as well. Throws Refusal provider_unavailable where others
   * count all the time; nothing is counted then.
   */
  async take(mode: Mode, merchantId: string): Promise<MailRoom | null> {
    const id = idOf(mode, merchantId);
    for await (const { standing, write } of guardedTries(this.days, id, GUARDED_TRIES)) {
      const nowMs = this.clock.now();
      const { dayMs, mails } = nextRoom(mode, standing, nowMs);
      if (dayMs > lastDayMs(nowMs)) return null;
      const isWritten = await write({ day: isoTime(dayMs), mails: mails + 1 });
      if (isWritten) return { dueMs: Math.max(nowMs, dayMs), opensDay: dayMs > nowMs && mails === 0 };
    }
    throw refuse('provider_unavailable', { message: 'The mails of this account are counted by others.' });
  }
}

/** The first day with room, and its mails so far. */
function nextRoom(mode: Mode, standing: MailDays | null, nowMs: number): { dayMs: number; mails: number } {
  const todayMs = dayOf(nowMs);
  const standingMs = standing ? parseIsoTime(standing.day) : 0;
  // A later day than any mail can have was written by a clock that has been set back since.
  if (!standing || standingMs < todayMs || standingMs > lastDayMs(nowMs)) return { dayMs: todayMs, mails: 0 };
  if (standing.mails < MAILS_A_DAY[mode]) return { dayMs: standingMs, mails: standing.mails };
  return { dayMs: standingMs + DAY_MS, mails: 0 };
}

function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS) * DAY_MS;
}

function lastDayMs(nowMs: number): number {
  return dayOf(nowMs) + DAYS_AHEAD * DAY_MS;
}

function idOf(mode: Mode, merchantId: string): string {
  return `${mode}/${merchantId}`;
}
