import { isoTime, MINUTE_MS, parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import { outageOf } from '../../kernel/outage';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import type { SecretBox, SecretOwner } from '../../kernel/ports/secret-box';
import { guardedTries } from '../../kernel/write-over';
import { refuse } from '../../vocabulary/errors';
import { isTotpShape, newTotpSecret, stepOfCode } from './totp';

const OFFER_LIFETIME_MS = 10 * MINUTE_MS;
const WRONG_CODES_LIMIT = 10;
const GUARDED_TRIES = 32;
const CLEANED_AT_A_TIME = 16;
/** Clocks of several instances differ by less. */
const CLOCK_DRIFT_MS = MINUTE_MS;

type Offer = {
  readonly secret_sealed: string;
  /** The sealed secret of the authenticator that the new one takes the place of; null for a first one. */
  readonly replaces: string | null;
  readonly expires_at: string;
  readonly wrong_codes: number;
};

/** The session that an offer is for. A secret is shown in no other session, and enrolled from no other one. */
export type OfferHolder = { readonly userId: string; readonly sessionId: string };

/** `step` is the right code's, and `version` the one of the document that was read. */
export type JudgedOffer = Pick<Offer, 'replaces'> & {
  readonly secretSealed: string;
  readonly step: number;
  readonly version: number;
};

const TOTP_OFFERS: CollectionSpec = { name: 'totp_offers', indexes: { by_end: ['expires_at', 'id'] } };

/** Secrets that users are about to enrol. Each is sealed for its user, and good for ten minutes of one session. */
export class TotpOffers {
  private constructor(
    private readonly offers: Collection<Offer>,
    private readonly secretBox: SecretBox,
    private readonly entropy: Entropy,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, secretBox: SecretBox, entropy: Entropy, clock: Clock): Promise<TotpOffers> {
    return new TotpOffers(await documents.open<Offer>(TOTP_OFFERS), secretBox, entropy, clock);
  }

  /** The secret of the session's standing offer; null for none. */
  async standing({ userId, sessionId }: OfferHolder): Promise<string | null> {
    const standing = await this.offers.get(sessionId);
    return standing && isOpen(standing.body, this.clock.now()) ? this.opened(userId, standing.body) : null;
  }

  /** The secret of the standing offer, or of a new one where none replaces the authenticator `replaces`. */
  async secretFor({ userId, sessionId }: OfferHolder, replaces: string | null, owner: SecretOwner): Promise<string> {
    for await (const { standing, write } of guardedTries(this.offers, sessionId, GUARDED_TRIES)) {
      const nowMs = this.clock.now();
      const isStanding = standing !== null && isOpen(standing, nowMs) && standing.replaces === replaces;
      if (isStanding) return this.opened(userId, standing);
      const secret = newTotpSecret(this.entropy);
      const secret_sealed = await this.secretBox.seal(secret, userId, owner);
      const body = { secret_sealed, replaces, expires_at: isoTime(nowMs + OFFER_LIFETIME_MS), wrong_codes: 0 };
      if (await write(body)) {
        await this.clean(nowMs);
        return secret;
      }
    }
    throw tooMany(SECOND_MS);
  }

  /**
   * The offer that the code is of. Throws Refusal mfa_proof_invalid for a wrong code, and where nothing is
   * offered. Throws rate_limit after too many wrong ones.
   */
  async judge({ userId, sessionId }: OfferHolder, code: string): Promise<JudgedOffer> {
    for await (const { standing, version, write } of guardedTries(this.offers, sessionId, GUARDED_TRIES)) {
      const nowMs = this.clock.now();
      if (!standing || !isOpen(standing, nowMs) || !isTotpShape(code)) throw refuse('mfa_proof_invalid');
      const { wrong_codes, expires_at, replaces, secret_sealed: secretSealed } = standing;
      if (wrong_codes >= WRONG_CODES_LIMIT) throw tooMany(parseIsoTime(expires_at) - nowMs);
      const step = stepOfCode(await this.opened(userId, standing), code, nowMs);
      if (step !== null) return { secretSealed, replaces, step, version };
      if (await write({ ...standing, wrong_codes: wrong_codes + 1 })) throw refuse('mfa_proof_invalid');
    }
    throw tooMany(SECOND_MS);
  }

  /** Ends the offer, once its secret is enrolled. `judged` is null for a command that is run again. */
  async end(sessionId: string, secretSealed: string, judged: Pick<JudgedOffer, 'version'> | null): Promise<void> {
    if (judged !== null && (await this.offers.deleteAt(sessionId, judged.version))) return;
    // Wrong codes may have been counted since the offer was judged.
    const standing = await this.offers.get(sessionId);
    if (standing?.body.secret_sealed === secretSealed) await this.offers.deleteAt(sessionId, standing.version);
  }

  private async opened(userId: string, { secret_sealed }: Offer): Promise<string> {
    try {
      return await this.secretBox.open(secret_sealed, userId);
    } catch (cause) {
      if (outageOf(cause) !== null) throw cause;
      throw refuse('invalid_totp_secret', { cause });
    }
  }

  private async clean(nowMs: number): Promise<void> {
    const range = { to: isoTime(nowMs - OFFER_LIFETIME_MS) };
    const old = await this.offers.list({ index: 'by_end', equals: {}, range, limit: CLEANED_AT_A_TIME });
    await Promise.all(old.map(({ id, version }) => this.offers.deleteAt(id, version)));
  }
}

/** An offer that ends later than any made now was made by a clock that has been set back since. */
function isOpen({ expires_at }: Offer, nowMs: number): boolean {
  const endsMs = parseIsoTime(expires_at);
  return nowMs < endsMs && endsMs - nowMs <= OFFER_LIFETIME_MS + CLOCK_DRIFT_MS;
}

function tooMany(waitMs: number): Error {
  const message = 'Too many wrong one-time codes for this secret.';
  return refuse('rate_limit', { message, retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
}
