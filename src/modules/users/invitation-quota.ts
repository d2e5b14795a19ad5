import { DAY_MS, isoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import { guardedTries } from '../../kernel/write-over';
import { refuse } from '../../vocabulary/errors';

/** Invitations that an account mails on a day of UTC. */
export const INVITATIONS_A_DAY = 20;
/** Where several count at once, one of them succeeds in each round. */
const GUARDED_TRIES = 32;
const RIVALS_WAIT_MS = SECOND_MS;

type InvitationDay = { readonly day: string; readonly commands: readonly string[] };

const INVITATION_DAYS: CollectionSpec = { name: 'invitation_days', indexes: {} };

/** Lets an account invite so many people a day. */
export class InvitationQuota {
  private constructor(
    private readonly days: Collection<InvitationDay>,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, clock: Clock): Promise<InvitationQuota> {
    return new InvitationQuota(await documents.open<InvitationDay>(INVITATION_DAYS), clock);
  }

  /** Counts the command once, however often it is run. Throws Refusal rate_limit. */
  async take(merchantId: string, commandId: string): Promise<void> {
    for await (const { standing, write } of guardedTries(this.days, merchantId, GUARDED_TRIES)) {
      const nowMs = this.clock.now();
      const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
      const day = isoTime(dayMs);
      const commands = standing?.day === day ? standing.commands : [];
      if (commands.includes(commandId)) return;
      if (commands.length >= INVITATIONS_A_DAY) throw full(dayMs + DAY_MS - nowMs);
      if (await write({ day, commands: [...commands, commandId] })) return;
    }
    throw full(RIVALS_WAIT_MS);
  }
}

function full(waitMs: number): Error {
  const message = `An account invites ${INVITATIONS_A_DAY} people a day at most.`;
  return refuse('rate_limit', { message, retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
}
