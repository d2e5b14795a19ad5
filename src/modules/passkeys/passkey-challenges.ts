import { isoTime, MINUTE_MS, parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import type { PasskeyRejection } from '../../kernel/ports/web-authn';
import { refuse } from '../../vocabulary/errors';

const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;
/** Anybody can ask for a challenge, so the store has an end. */
export const MAX_CHALLENGES = 10_000;
const CHALLENGE_BYTES = 32;
const CLEANED_AT_A_TIME = 64;

export type PasskeyPurpose = 'register' | 'sign_in';

type StoredChallenge = {
  readonly purpose: PasskeyPurpose;
  /** Null for a sign-in. */
  readonly user_id: string | null;
  readonly expires_at: string;
};

const PASSKEY_CHALLENGES: CollectionSpec = { name: 'passkey_challenges', indexes: { by_end: ['expires_at', 'id'] } };

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

  /** 32 random bytes as base64url. Throws Refusal passkey_challenges_full or rng_failure. */
  async give(purpose: PasskeyPurpose, userId: string | null): Promise<string> {
    await this.clean();
    if ((await this.challenges.count()) >= this.limit) throw await this.full();
    const challenge = Buffer.from(this.entropy.bytes(CHALLENGE_BYTES)).toString('base64url');
    const body = { purpose, user_id: userId, expires_at: isoTime(this.clock.now() + CHALLENGE_LIFETIME_MS) };
    await this.challenges.put({ id: challenge, version: 1, body });
    return challenge;
  }

  /** Takes the challenge out of the store: of several answers at once, one is judged. Null for a right challenge. */
  async take(challenge: string, purpose: PasskeyPurpose, userId: string | null): Promise<PasskeyRejection | null> {
    const standing = await this.challenges.get(challenge);
    if (!standing || !(await this.challenges.deleteAt(challenge, standing.version))) return 'challenge_stale';
    const { expires_at, ...made } = standing.body;
    if (this.clock.now() >= parseIsoTime(expires_at)) return 'challenge_stale';
    return made.purpose === purpose && made.user_id === userId ? null : 'challenge_mismatch';
  }

  private async full(): Promise<Error> {
    const [first] = await this.challenges.list({ index: 'by_end', equals: {}, limit: 1 });
    const waitMs = first ? parseIsoTime(first.body.expires_at) - this.clock.now() : 0;
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / SECOND_MS));
    return refuse('passkey_challenges_full', { retryAfterSeconds });
  }

  private async clean(): Promise<void> {
    const to = isoTime(this.clock.now());
    const old = await this.challenges.list({ index: 'by_end', equals: {}, range: { to }, limit: CLEANED_AT_A_TIME });
    await Promise.all(old.map(({ id, version }) => this.challenges.deleteUpTo(id, version)));
  }
}
