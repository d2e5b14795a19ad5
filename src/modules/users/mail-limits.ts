import { createHmac } from 'node:crypto';
import { HOUR_MS, isoTime, MINUTE_MS, parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { guardedTries } from '../../kernel/write-over';
import { refuse } from '../../vocabulary/errors';
import { networkOf } from '../sessions/client-network';

/** Mails of one purpose that an address gets within an hour, whoever asks for them. */
export const MAILS_TO_ADDRESS = 5;
/** Mails that the clients of a network ask for within an hour. */
export const MAILS_BY_NETWORK = 30;
const WINDOW_MS = HOUR_MS;
const GUARDED_TRIES = 32;
const RIVALS_WAIT_MS = SECOND_MS;
/** Clocks of several instances differ by less. */
const CLOCK_DRIFT_MS = MINUTE_MS;
const CLEANED_AT_A_TIME = 16;

type Asks = {
  /** The commands that have asked, each with its time. */
  readonly asks: readonly { readonly command_id: string; readonly at: string }[];
  readonly last_at: string;
};

const MAIL_ASKS: CollectionSpec = { name: 'mail_asks', indexes: { by_last: ['last_at', 'id'] } };

/** Counts the mails that strangers ask for. The documents have keyed hashes of addresses and networks alone. */
export class MailLimits {
  private constructor(
    private readonly counts: Collection<Asks>,
    private readonly hashKey: Uint8Array,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, secretBox: SecretBox, clock: Clock): Promise<MailLimits> {
    return new MailLimits(await documents.open<Asks>(MAIL_ASKS), await secretBox.deriveKey('ids'), clock);
  }

  /**
   * Whether one more mail of the purpose may go to the address. False tells nobody anything, so the asker gets the same
   * answer. The same command counts once. Purposes are counted apart: strangers who sign up with an address use up no
   * mail for its new password. Throws Refusal rate_limit where the client's network has asked too often, for whichever
   * addresses.
   */
  async take(
    purpose: 'sign_up' | 'reset' | 'admin_reset',
    email: string,
    ip: string | null,
    commandId: string,
  ): Promise<boolean> {
    const network = networkOf(ip);
    if (network !== null) {
      const waitMs = await this.count(`network\n${network}`, MAILS_BY_NETWORK, commandId);
      if (waitMs > 0) throw tooMany(waitMs);
    }
    return (await this.count(`${purpose}\n${email}`, MAILS_TO_ADDRESS, commandId)) === 0;
  }

  /** Counts one ask where there is room; otherwise answers the milliseconds until there is. */
  private async count(subject: string, limit: number, commandId: string): Promise<number> {
    const id = createHmac('sha256', this.hashKey).update(subject).digest('hex');
    for await (const { standing, write } of guardedTries(this.counts, id, GUARDED_TRIES)) {
      const nowMs = this.clock.now();
      const asks = (standing?.asks ?? []).filter(({ at }) => isCounted(at, nowMs));
      if (asks.some(({ command_id }) => command_id === commandId)) return 0;
      const oldest = asks.at(-limit);
      if (oldest) return parseIsoTime(oldest.at) + WINDOW_MS - nowMs;
      const last_at = isoTime(nowMs);
      if (!(await write({ asks: [...asks, { command_id: commandId, at: last_at }], last_at }))) continue;
      await this.clean(nowMs);
      return 0;
    }
    throw tooMany(RIVALS_WAIT_MS);
  }

  private async clean(nowMs: number): Promise<void> {
    const to = isoTime(nowMs - WINDOW_MS - CLOCK_DRIFT_MS);
    const old = await this.counts.list({ index: 'by_last', equals: {}, range: { to }, limit: CLEANED_AT_A_TIME });
    await Promise.all(old.map(({ id, version }) => this.counts.deleteAt(id, version)));
  }
}

/** A time far ahead was written by a clock that has been set back since. */
function isCounted(at: string, nowMs: number): boolean {
  const atMs = parseIsoTime(at);
  return atMs <= nowMs + CLOCK_DRIFT_MS && nowMs - atMs < WINDOW_MS;
}

function tooMany(waitMs: number): Error {
  const message = 'Too much mail was asked for from your network.';
  return refuse('rate_limit', { message, retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
}
