import { SECOND_MS, type Clock } from '../../kernel/clock';
import { outageOf } from '../../kernel/outage';
import { guardedTries } from '../../kernel/write-over';
import { refuse } from '../../vocabulary/errors';
import { realmOf } from '../../vocabulary/realms';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { isTotpShape, stepAt, stepOfCode, STEPS_AHEAD, totpCode } from './totp';
import {
  barredPeriod,
  NO_WRONG_CODES,
  stillCounted,
  tooManyCodes,
  waitMs,
  withOneMore,
  WRONG_BY_KEY_LIMIT,
  WRONG_OF_USER_LIMIT,
  WrongCodesByKey,
  type BarredCodes,
  type BarredCodesNotice,
  type Tally,
  type WrongCodes,
} from './wrong-codes';

type ShownCode = {
  /** The key, or the session, that shows the code. */
  readonly keyId: string;
  /** The action that the code is for, such as `wallet.create`. */
  readonly action: string;
  readonly code: string | null;
  /** The command that the proof is for: the same command may show the same code again. */
  readonly commandId: string;
};

type TotpProof = ShownCode & {
  readonly merchantId: string;
  /** The user of the code; null where the merchant has one user. */
  readonly userId: string | null;
};

export type EnrolledUser = {
  readonly userId: string;
  /** Null for the operator's people. */
  readonly merchantId: string | null;
  /** The secret, sealed for the user's id. */
  readonly totpSecretSealed: string;
};

export interface EnrolledUsers {
  find(userId: string): Promise<EnrolledUser | null>;
  /** At most two users: a verifier needs to know only whether there is one, or more. */
  ofMerchant(merchantId: string): Promise<readonly EnrolledUser[]>;
}

/** A user as the user's own request has read it; null for a user without an authenticator. */
type CodeHolder = Omit<EnrolledUser, 'totpSecretSealed'> & { readonly totpSecretSealed: string | null };

type UsedSteps = WrongCodes & {
  readonly last_step: number;
  readonly uses: readonly { readonly step: number; readonly command_id: string }[];
};

const USED_TOTP_STEPS: CollectionSpec = { name: 'used_totp_steps', indexes: {} };

const UNUSED: UsedSteps = { ...NO_WRONG_CODES, last_step: -1, uses: [] };
/** The refusal of a code whose secret cannot be read. */
const UNREADABLE = { merchant: 'invalid_totp_secret', admin: 'admin_totp_secret_invalid' } as const;
/** A stolen key is revoked also where too many wrong codes bar all else: its codes are then counted by themselves. */
const REVOKE = 'api_key.revoke';
/** Steps whose command is remembered. A command that is resumed after a crash has fewer later ones than this. */
const USES_KEPT = 32;
/** Every round of a race lets one try through; more rivals than this at one user's codes are guessing. */
const GUARDED_TRIES = 32;
const RIVALS_WAIT_MS = SECOND_MS;

/**
 * Checks TOTP codes by the wall's clock. Each step serves one command, and later commands need a later step. Wrong
 * codes are counted before the answer, by key and by user.
 */
export class TotpVerifier {
  private constructor(
    private readonly steps: Collection<UsedSteps>,
    private readonly wrongByKey: WrongCodesByKey,
    private readonly users: EnrolledUsers,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
    private readonly notice: BarredCodesNotice,
  ) {}

  static async open(
    documents: Documents,
    users: EnrolledUsers,
    secretBox: SecretBox,
    clock: Clock,
    notice: BarredCodesNotice,
  ) {
    const steps = await documents.open<UsedSteps>(USED_TOTP_STEPS);
    return new TotpVerifier(steps, await WrongCodesByKey.open(documents), users, secretBox, clock, notice);
  }

  /** The code's user. Throws Refusal mfa_required, mfa_proof_invalid or rate_limit. */
  async verify({ merchantId, userId, ...shown }: TotpProof): Promise<EnrolledUser> {
    if (shown.code === null) throw refuse('mfa_required');
    const user = await this.enrolled(merchantId, userId);
    await this.verifyOf(user, shown);
    return user;
  }

  /** Checks a code of the user, who is active. Throws as `verify` does. */
  async verifyOf(
    { userId, merchantId, totpSecretSealed }: CodeHolder,
    { keyId, action, code, commandId }: ShownCode,
  ): Promise<void> {
    if (code === null) throw refuse('mfa_required');
    if (totpSecretSealed === null || !isTotpShape(code)) throw refuse('mfa_proof_invalid');
    const secret = await this.secretOf(userId, totpSecretSealed);
    let counted: Counted | null = null;
    for await (const { standing, write } of guardedTries(this.steps, userId, GUARDED_TRIES)) {
      const nowMs = this.clock.now();
      const byKey = counted ? null : await this.wrongByKey.get(keyId);
      const used = standing ?? UNUSED;
      const limits = (of: Tally) => limitsOf(of, keyId, byKey?.body ?? NO_WRONG_CODES, userId, used);
      const { tally, before, barredMs } = barsOf(action, counted?.tally ?? null, limits, nowMs);
      const judged = judge(used, secret, { code, commandId, tally, nowMs });
      if (barredMs > 0) {
        if (judged.outcome === 'wrong') await this.tellOfBars(merchantId, keyId, before, nowMs);
        throw tooManyCodes(barredMs, tally);
      }
      if (judged.outcome === 'wrong' && counted === null) {
        const written = await this.wrongByKey.count(keyId, byKey, tally, nowMs);
        if (written === null) continue;
        counted = { tally, byKey: written };
      }
      const isWritten = judged.next === null || (await write(judged.next));
      if (!isWritten) continue;
      if (judged.outcome === 'right') return;
      const [ofKey, ofUser] = [counted?.byKey ?? NO_WRONG_CODES, judged.next ?? NO_WRONG_CODES];
      const after = limitsOf(tally, keyId, ofKey, userId, ofUser);
      await this.tellOfBars(merchantId, keyId, [...before, ...after], nowMs);
      throw refuse('mfa_proof_invalid');
    }
    throw tooManyCodes(RIVALS_WAIT_MS);
  }

  /**
   * Uses up the step of a right code of a secret that is only being enrolled. Throws Refusal mfa_proof_invalid where
   * another command has used the step.
   */
  async spend(userId: string, step: number, commandId: string): Promise<void> {
    for await (const { standing, write } of guardedTries(this.steps, userId, GUARDED_TRIES)) {
      const used = standing ?? UNUSED;
      const use = used.uses.find(each => each.step === step);
      if (use?.command_id === commandId) return;
      if (use) throw refuse('mfa_proof_invalid');
      const uses = [...used.uses, { step, command_id: commandId }].slice(-USES_KEPT);
      if (await write({ ...used, last_step: step, uses })) return;
    }
    throw tooManyCodes(RIVALS_WAIT_MS);
  }

  private async tellOfBars(
    merchantId: string | null,
    keyId: string,
    limits: readonly Limit[],
    nowMs: number,
  ): Promise<void> {
    for (const { wrongAt, ...barred } of limits) {
      const period = barredPeriod(wrongAt, barred.limit, nowMs);
      if (period !== null) await this.notice.tell({ merchantId, keyId, barred, period });
    }
  }

  private async enrolled(merchantId: string, userId: string | null): Promise<EnrolledUser> {
    if (userId !== null) {
      const user = await this.users.find(userId);
      // The answer is the same as for a wrong code: nobody may learn which ids exist.
      if (user?.merchantId !== merchantId) throw refuse('mfa_proof_invalid');
      return user;
    }
    const [user, ...others] = await this.users.ofMerchant(merchantId);
    if (!user) throw refuse('mfa_required', { message: 'No user of this account has enrolled for one-time codes.' });
    if (others.length > 0) {
      throw refuse('mfa_required', { message: 'Several users have enrolled: name one in the header Mfa-User.' });
    }
    return user;
  }

  private async secretOf(userId: string, sealed: string): Promise<string> {
    try {
      return await this.secretBox.open(sealed, userId);
    } catch (cause) {
      // The secret is unharmed: its data key could not be asked for.
      if (outageOf(cause) !== null) throw cause;
      throw refuse(UNREADABLE[realmOf(userId)], { cause });
    }
  }
}

/** A wrong code that its key has been charged with. */
type Counted = { readonly tally: Tally; readonly byKey: WrongCodes };
type Bars = { readonly tally: Tally; readonly before: readonly Limit[]; readonly barredMs: number };
type Limit = BarredCodes['barred'] & { readonly wrongAt: readonly string[] };

function limitsOf(
  tally: Tally,
  keyId: string,
  byKey: WrongCodes,
  userId: string,
  ofUser: WrongCodes,
): readonly [Limit, Limit] {
  return [
    { kind: 'key', id: keyId, limit: WRONG_BY_KEY_LIMIT, tally, wrongAt: byKey[tally] ?? [] },
    { kind: 'user', id: userId, limit: WRONG_OF_USER_LIMIT, tally, wrongAt: ofUser[tally] ?? [] },
  ];
}

/**
 * The count of a code of the action. A code for the end of a key has its own count while the other is full. Such a code
 * is taken as soon as one of the two has room.
 */
function barsOf(
  action: string,
  counted: Tally | null,
  limits: (tally: Tally) => readonly Limit[],
  nowMs: number,
): Bars {
  const ofAll = limits('wrong_at');
  const allMs = barredFor(ofAll, nowMs);
  const isApart = action === REVOKE && (allMs > 0 || counted === 'wrong_revoke_at');
  if (!isApart) return { tally: 'wrong_at', before: ofAll, barredMs: allMs };
  const ofRevoking = limits('wrong_revoke_at');
  const revokingMs = barredFor(ofRevoking, nowMs);
  const barredMs = allMs > 0 ? Math.min(allMs, revokingMs) : revokingMs;
  return { tally: 'wrong_revoke_at', before: [...ofAll, ...ofRevoking], barredMs };
}

function barredFor(limits: readonly Limit[], nowMs: number): number {
  return Math.max(...limits.map(({ wrongAt, limit }) => waitMs(wrongAt, limit, nowMs)));
}

type Judgement = {
  /** `used` is a right code that served another command. */
  readonly outcome: 'right' | 'used' | 'wrong';
  /** The document that must be stored before the answer; null for none. */
  readonly next: UsedSteps | null;
};
type Attempt = {
  readonly code: string;
  readonly commandId: string;
  /** The count of this code where it is wrong. */
  readonly tally: Tally;
  readonly nowMs: number;
};

/**
 * The last used step among those that the clock at `nowMs` can have. A step further ahead was used while the clock was
 * ahead. The step stays used, and locks no step before it once the clock is set back.
 */
function lastStep(uses: UsedSteps['uses'], nowMs: number): number {
  const reachable = uses.map(({ step }) => step).filter(step => step <= stepAt(nowMs) + STEPS_AHEAD);
  return Math.max(UNUSED.last_step, ...reachable);
}

function judge(used: UsedSteps, secret: string, { code, commandId, tally, nowMs }: Attempt): Judgement {
  const own = used.uses.find(use => use.command_id === commandId);
  if (own && totpCode(secret, own.step) === code) return { outcome: 'right', next: null };
  const step = stepOfCode(secret, code, nowMs);
  if (step === null) return { outcome: 'wrong', next: { ...used, ...withOneMore(used, tally, nowMs) } };
  const isUsed = step <= lastStep(used.uses, nowMs) || used.uses.some(use => use.step === step);
  if (isUsed) return { outcome: 'used', next: null };
  const uses = [...used.uses, { step, command_id: commandId }].slice(-USES_KEPT);
  return { outcome: 'right', next: { last_step: step, uses, ...stillCounted(used, nowMs) } };
}
