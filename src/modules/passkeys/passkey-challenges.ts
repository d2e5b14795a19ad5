import { isoTime, MINUTE_MS, parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import type { PasskeyRejection } from '../../kernel/ports/web-authn';
import { refuse } from '../../vocabulary/errors';
import { networkOf } from '../sessions/client-network';

const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;
/** Strangers can ask for challenges, so the store has an end. */
export const MAX_CHALLENGES = 10_000;
/** Open challenges of one asker: people of one network who look at the page of signing in within five minutes. */
export const CHALLENGES_OF_ASKER = 100;
const CHALLENGE_BYTES = 32;
/** Clocks of several instances differ by less. */
const CLOCK_DRIFT_MS = MINUTE_MS;
const CLEANED_AT_A_TIME = 64;
const LONGEST_LEFT_MS = CHALLENGE_LIFETIME_MS + CLOCK_DRIFT_MS;

export type PasskeyPurpose = 'register' | 'sign_in';

type StoredChallenge = {
  readonly purpose: PasskeyPurpose;
  /** Null for a sign-in. */
  readonly user_id: string | null;
  /** The user of a registration; the client's network for a sign-in. */
  readonly asker: string;
  readonly expires_at: string;
};

const PASSKEY_CHALLENGES: CollectionSpec = {
  name: 'passkey_challenges',
  indexes: { by_end: ['expires_at', 'id'], by_asker: ['asker', 'expires_at', 'id'] },
};

/** Challenges that were given out, each for one answer within five minutes of the wall's clock. */
export class PasskeyChallenges {
  private constructor(
    private readonly challenges: Collection<StoredChallenge>,
    private readonly clock: Clock,
    private readonly entropy: Entropy,
    private readonly limit: number,
  ) {}

  static async open(documents: Documents, clock: Clock, entropy: Entropy, limit = MAX_CHALLENGES) {
    const challenges = await documents.open<StoredChallenge>(PASSKEY_CHALLENGES);
    return new PasskeyChallenges(challenges, clock, entropy, limit);
  }

  /**
   * 32 random bytes as base64url. An asker with many open challenges loses the oldest of them, and takes no room of
   * others. A store full of strangers' challenges stops no registration, whose user has signed in. Throws Refusal
   * passkey_challenges_full or rng_failure.
   */
  async give(purpose: PasskeyPurpose, userId: string | null, ip: string | null): Promise<string> {
    await this.clean();
    const asker = userId ?? networkOf(ip) ?? '';
    const hasRoom = (await this.removeOldestOf(asker)) || userId !== null;
    if (!hasRoom && (await this.challenges.count()) >= this.limit) throw await this.full();
    const challenge = Buffer.from(this.entropy.bytes(CHALLENGE_BYTES)).toString('base64url');
    const body = { purpose, user_id: userId, asker, expires_at: isoTime(this.clock.now() + CHALLENGE_LIFETIME_MS) };
    await this.challenges.put({ id: challenge, version: 1, body });
    return challenge;
  }

  /** Takes the challenge out of the store: of several answers at once, one is judged. Null for a right challenge. */
  async take(challenge: string, purpose: PasskeyPurpose, userId: string | null): Promise<PasskeyRejection | null> {
    const standing = await this.challenges.get(challenge);
    if (!standing || !(await this.challenges.deleteAt(challenge, standing.version))) return 'challenge_stale';
    const { expires_at, ...made } = standing.body;
    const leftMs = parseIsoTime(expires_at) - this.clock.now();
    if (leftMs <= 0 || leftMs > LONGEST_LEFT_MS) return 'challenge_stale';
    return made.purpose === purpose && made.user_id === userId ? null : 'challenge_mismatch';
  }

  /** Whether the asker had as many as one asker may have. */
  private async removeOldestOf(asker: string): Promise<boolean> {
    const query = { index: 'by_asker', equals: { asker }, limit: CHALLENGES_OF_ASKER };
    const own = await this.challenges.list(query);
    const [oldest] = own;
    if (!oldest || own.length < CHALLENGES_OF_ASKER) return false;
    await this.challenges.deleteUpTo(oldest.id, oldest.version);
    return true;
  }

  private async full(): Promise<Error> {
    const [first] = await this.challenges.list({ index: 'by_end', equals: {}, limit: 1 });
    const waitMs = first ? parseIsoTime(first.body.expires_at) - this.clock.now() : 0;
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / SECOND_MS));
    return refuse('passkey_challenges_full', { retryAfterSeconds });
  }

  /** An end far ahead was written by a clock that has been set back since. */
  private async clean(): Promise<void> {
    const nowMs = this.clock.now();
    const ranges = [{ to: isoTime(nowMs) }, { from: isoTime(nowMs + LONGEST_LEFT_MS + 1) }];
    for (const range of ranges) {
      const over = await this.challenges.list({ index: 'by_end', equals: {}, range, limit: CLEANED_AT_A_TIME });
      await Promise.all(over.map(({ id, version }) => this.challenges.deleteUpTo(id, version)));
    }
  }
}
