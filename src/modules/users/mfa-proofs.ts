import { createHash, createHmac } from 'node:crypto';
import { DAY_MS, isoTime, MINUTE_MS, parseIsoTime, type Clock } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import { invariant } from '../../kernel/invariant';
import type { Mode } from '../../vocabulary/modes';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import type { SecretBox } from '../../kernel/ports/secret-box';
import type { EnrolledUser, EnrolledUsers } from './totp-verifier';

export const PROOF_LIFETIME_MS = 5 * MINUTE_MS;

/** The facts that a proof is bound to. */
export type ProofBinding = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly keyId: string;
  /** An action such as `wallet.create`. */
  readonly action: string;
};

export type IssuedProof = { readonly proof: string; readonly action: string; readonly expires_at: string };

type StoredProof = {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly key_id: string;
  readonly user_id: string;
  /** The digest of the sealed secret of the user's authenticator. The proof ends with that authenticator. */
  readonly authenticator: string;
  readonly action: string;
  readonly expires_at: string;
  /** The command that has used the proof. */
  readonly used_by: string | null;
};

export const MFA_PROOFS: CollectionSpec = { name: 'mfa_proofs', indexes: { by_end: ['expires_at', 'id'] } };

const PREFIX = 'mfap_';
const PROOF_PATTERN = /^mfap_[0-9A-Za-z_-]{43}$/;
const UNUSED_VERSION = 1;
/**
 * A proof is kept while a command under an Idempotency-Key may be run again, and its client be told that the proof has
 * lapsed.
 */
const KEPT_AFTER_END_MS = DAY_MS;
/** Each new proof removes several old ones, so they never pile up. */
const CLEANED_AT_A_TIME = 16;

/**
 * Proofs of a one-time code, each for one use of one action by one key within five minutes of the wall's clock. A used
 * proof keeps its command, which may use the proof again when it continues after a crash.
 */
export class MfaProofs {
  private constructor(
    private readonly proofs: Collection<StoredProof>,
    private readonly textKey: Uint8Array,
    private readonly users: Pick<EnrolledUsers, 'find'>,
    private readonly clock: Clock,
  ) {}

  static async open(
    documents: Documents,
    users: Pick<EnrolledUsers, 'find'>,
    secretBox: SecretBox,
    clock: Clock,
  ): Promise<MfaProofs> {
    const textKey = await secretBox.deriveKey('mfa proofs');
    return new MfaProofs(await documents.open<StoredProof>(MFA_PROOFS), textKey, users, clock);
  }

  /**
   * Makes a proof after a right code of the user. The text follows from the command, so the same command run again
   * finds its own proof.
   */
  async issue(binding: ProofBinding, user: EnrolledUser, commandId: string): Promise<IssuedProof> {
    const proof = PREFIX + createHmac('sha256', this.textKey).update(commandId).digest('base64url');
    const body: StoredProof = {
      merchant_id: binding.merchantId,
      mode: binding.mode,
      key_id: binding.keyId,
      user_id: user.userId,
      authenticator: digestOf(user.totpSecretSealed),
      action: binding.action,
      expires_at: isoTime(this.clock.now() + PROOF_LIFETIME_MS),
      used_by: null,
    };
    const id = digestOf(proof);
    const isNew = await this.proofs.insert({ id, version: UNUSED_VERSION, body });
    const standing = isNew ? body : (await this.proofs.get(id))?.body;
    invariant(standing, 'a proof that stood in the way is gone');
    await this.clean();
    return { proof, action: standing.action, expires_at: standing.expires_at };
  }

  /**
   * Throws Refusal mfa_proof_invalid for a text that is no proof of this merchant and mode. The same for a proof whose
   * user has its authenticator no more. Throws mfa_reverification_required for a proof that is used or was made for
   * another action or key. Throws mfa_proof_stale for a proof that has expired.
   */
  async use(proof: string, binding: ProofBinding, commandId: string): Promise<void> {
    const standing = PROOF_PATTERN.test(proof) ? await this.proofs.get(digestOf(proof)) : null;
    if (!standing) throw refuse('mfa_proof_invalid');
    if (this.isUsedBy(standing.body, binding, commandId)) return;
    if (!(await this.hasAuthenticator(standing.body))) throw refuse('mfa_proof_invalid');
    const used = { ...standing.body, used_by: commandId };
    if (await this.proofs.replace({ ...standing, version: UNUSED_VERSION + 1, body: used }, UNUSED_VERSION)) return;
    // Another use was faster; there is no harm where both uses are of this very command.
    const winner = await this.proofs.get(standing.id);
    if (winner?.body.used_by !== commandId) throw refuse('mfa_reverification_required');
  }

  /** Whether this very command has used the proof. Throws the refusals of `use`. */
  private isUsedBy(proof: StoredProof, binding: ProofBinding, commandId: string): boolean {
    if (proof.merchant_id !== binding.merchantId || proof.mode !== binding.mode) throw refuse('mfa_proof_invalid');
    if (proof.key_id !== binding.keyId || proof.action !== binding.action) throw refuse('mfa_reverification_required');
    if (proof.used_by !== null) {
      if (proof.used_by === commandId) return true;
      throw refuse('mfa_reverification_required');
    }
    if (this.clock.now() >= parseIsoTime(proof.expires_at)) throw refuse('mfa_proof_stale');
    return false;
  }

  /** A user who is disabled, or whose authenticator was reset, shows no codes. */
  private async hasAuthenticator({ merchant_id, user_id, authenticator }: StoredProof): Promise<boolean> {
    const user = await this.users.find(user_id);
    return user?.merchantId === merchant_id && digestOf(user.totpSecretSealed) === authenticator;
  }

  private async clean(): Promise<void> {
    const to = isoTime(this.clock.now() - KEPT_AFTER_END_MS);
    const old = await this.proofs.list({ index: 'by_end', equals: {}, range: { to }, limit: CLEANED_AT_A_TIME });
    await Promise.all(old.map(({ id, version }) => this.proofs.deleteUpTo(id, version)));
  }
}

/** The stored documents contain digests alone, and no proof. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
