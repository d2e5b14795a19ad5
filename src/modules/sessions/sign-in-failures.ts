import { hash } from 'node:crypto';
import { HOUR_MS, isoTime, MINUTE_MS, parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import { guardedTries } from '../../kernel/write-over';
import { refuse, type Refusal } from '../../vocabulary/errors';
import type { Client } from './signed-in';
import { networkOf } from './client-network';

/** Failures that cost a network nothing. */
const FREE_FAILURES = 5;
/** The pause between further tries. */
const PAUSE_MS = 30 * SECOND_MS;
/** A network without a failure for so long begins anew. */
const FORGOTTEN_AFTER_MS = HOUR_MS;
/** Every round of a race lets one try through; more rivals at one user's password are guessing. */
const GUARDED_TRIES = 32;
const RIVALS_WAIT_MS = SECOND_MS;
/** Each count removes several old ones, since strangers can have many made. */
const CLEANED_AT_A_TIME = 16;
/** Clocks of several instances differ by less. */
const CLOCK_DRIFT_MS = MINUTE_MS;

type Failures = { readonly failures: number; readonly last_at: string };

const SIGN_IN_FAILURES: CollectionSpec = { name: 'sign_in_failures', indexes: { by_last: ['last_at', 'id'] } };

/** A try that counts as a failure until it is known to be right. */
type SignInTry = { readonly id: string; readonly before: Failures };

/**
 * Slows the tries of one network at one user. A network without failures of its own is never refused, whatever others
 * do: nobody can lock a user out. An address that no user has is counted alike.
 */
export class SignInFailures {
  private constructor(
    private readonly failures: Collection<Failures>,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, clock: Clock): Promise<SignInFailures> {
    return new SignInFailures(await documents.open<Failures>(SIGN_IN_FAILURES), clock);
  }

  /** Counts a try before it is judged, so that tries at once count each. Throws Refusal rate_limit. */
  async begin(userId: string, { ip }: Client): Promise<SignInTry> {
    const id = hash('sha256', `${userId}\n${networkOf(ip) ?? ''}`, 'hex');
    for await (const { standing, write } of guardedTries(this.failures, id, GUARDED_TRIES)) {
      const nowMs = this.clock.now();
      const before = counted(standing, nowMs);
      const waitMs = before.failures < FREE_FAILURES ? 0 : parseIsoTime(before.last_at) + PAUSE_MS - nowMs;
      if (waitMs > 0) throw tooOften(Math.min(waitMs, PAUSE_MS));
      if (await write({ failures: before.failures + 1, last_at: isoTime(nowMs) })) {
        await this.clean(nowMs);
        return { id, before };
      }
    }
    throw tooOften(RIVALS_WAIT_MS);
  }

  /** The step was right, or could not be judged: it is no failure. */
  async takeBack({ id, before }: SignInTry): Promise<void> {
    for await (const { standing, write } of guardedTries(this.failures, id, GUARDED_TRIES)) {
      if (!standing) return;
      if (await write({ failures: Math.max(0, standing.failures - 1), last_at: before.last_at })) return;
    }
  }

  /** The whole sign-in was right: the network begins anew. */
  async forget({ id }: SignInTry): Promise<void> {
    const standing = await this.failures.get(id);
    if (standing) await this.failures.deleteUpTo(id, standing.version);
  }

  private async clean(nowMs: number): Promise<void> {
    const to = isoTime(nowMs - FORGOTTEN_AFTER_MS);
    const old = await this.failures.list({ index: 'by_last', equals: {}, range: { to }, limit: CLEANED_AT_A_TIME });
    await Promise.all(old.map(({ id, version }) => this.failures.deleteUpTo(id, version)));
  }
}

/** A time ahead was written by a clock that has been set back since, and would else pause tries until it comes. */
function counted(standing: Failures | null, nowMs: number): Failures {
  const agoMs = standing === null ? FORGOTTEN_AFTER_MS : nowMs - parseIsoTime(standing.last_at);
  const isCounted = standing !== null && agoMs < FORGOTTEN_AFTER_MS && agoMs >= -CLOCK_DRIFT_MS;
  return isCounted ? standing : { failures: 0, last_at: isoTime(nowMs) };
}

function tooOften(forMs: number): Refusal {
  const message = 'Too many tries with wrong passwords or codes. Wait a little before the next one.';
  return refuse('rate_limit', { message, retryAfterSeconds: Math.ceil(forMs / SECOND_MS) });
}
