import { createHash, createHmac } from 'node:crypto';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, parseIsoTime, type Clock } from '../../kernel/clock';
import { invariant } from '../../kernel/invariant';
import type { Collection, CollectionSpec, Document, Documents } from '../../kernel/ports/documents';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { refuse } from '../../vocabulary/errors';
import type { AdminRole } from '../../vocabulary/admin-roles';
import type { UserRole } from '../../vocabulary/roles';

/** The matter that a link is for, with the facts that its use needs. */
type TokenMatter =
  | { readonly purpose: 'sign_up'; readonly business: string; readonly name: string }
  | { readonly purpose: 'reset' }
  | { readonly purpose: 'admin_reset' }
  | { readonly purpose: 'admin_invitation'; readonly role: AdminRole }
  | { readonly purpose: 'invitation'; readonly merchant_id: string; readonly role: UserRole };
type Purpose = TokenMatter['purpose'];
type MatterOf<Of extends Purpose> = Extract<TokenMatter, { readonly purpose: Of }>;

type StoredToken = {
  readonly purpose: Purpose;
  readonly user_id: string;
  readonly email: string;
  /** The merchant of an invitation; null for other purposes. */
  readonly merchant_id: string | null;
  readonly matter: TokenMatter;
  readonly made_at: string;
  readonly expires_at: string;
  /** The command that has used the token; null while none has. */
  readonly used_by: string | null;
};

/** A token that was found by its text, and may be used. */
export type FoundToken<Of extends Purpose = Purpose> = Pick<StoredToken, 'user_id' | 'email' | 'made_at'> & {
  /** SHA-256 of the text. */
  readonly id: string;
  readonly matter: MatterOf<Of>;
  /** The document as it was found, which a use is written over. */
  readonly standing: Document<StoredToken>;
};

/** An invitation whose link can be taken now. */
export type OpenInvitation = Pick<StoredToken, 'user_id' | 'email' | 'made_at'> & { readonly role: UserRole };

type MadeToken = { readonly id: string; readonly token: string; readonly expiresAt: string };

const MAILED_TOKENS: CollectionSpec = {
  name: 'mailed_tokens',
  indexes: {
    by_user: ['user_id', 'purpose', 'merchant_id', 'id'],
    by_merchant: ['merchant_id', 'purpose', 'user_id', 'id'],
    by_end: ['expires_at', 'id'],
  },
};

export const TOKEN_LIFETIME_MS: Readonly<Record<Purpose, number>> = {
  sign_up: DAY_MS,
  reset: HOUR_MS,
  invitation: 7 * DAY_MS,
  admin_reset: HOUR_MS,
  admin_invitation: DAY_MS,
};

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
const UNUSED_VERSION = 1;
/** Clocks of several instances differ by less. */
const CLOCK_DRIFT_MS = MINUTE_MS;
/** A token is kept while its command may be run again. */
const KEPT_AFTER_END_MS = DAY_MS;
/** Each new token removes several old ones, so they never pile up. */
const CLEANED_AT_A_TIME = 16;
/** More tokens than the limits of mail let a user, or a merchant's invitations, have at once. */
const TOKENS_READ = 200;

/** Tokens of mailed links. The documents have only their hashes. */
export class MailedTokens {
  private constructor(
    private readonly tokens: Collection<StoredToken>,
    private readonly textKey: Uint8Array,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, secretBox: SecretBox, clock: Clock): Promise<MailedTokens> {
    // Texts of proofs follow from bare command ids, so a text of another form is never one of theirs.
    const textKey = await secretBox.deriveKey('mfa proofs');
    return new MailedTokens(await documents.open<StoredToken>(MAILED_TOKENS), textKey, clock);
  }

  /** 32 bytes that follow from the command: the same command run again finds its own token. */
  async make(matter: TokenMatter, userId: string, email: string, commandId: string): Promise<MadeToken> {
    const { purpose } = matter;
    const text = `mailed token\n${purpose}\n${userId}\n${commandId}`;
    const token = createHmac('sha256', this.textKey).update(text).digest('base64url');
    const nowMs = this.clock.now();
    const times = { made_at: isoTime(nowMs), expires_at: isoTime(nowMs + TOKEN_LIFETIME_MS[purpose]) };
    const merchant_id = matter.purpose === 'invitation' ? matter.merchant_id : null;
    const body = { purpose, user_id: userId, email, merchant_id, matter, ...times, used_by: null };
    const id = idOf(token);
    const isNew = await this.tokens.insert({ id, version: UNUSED_VERSION, body });
    const standing = isNew ? body : (await this.tokens.get(id))?.body;
    invariant(standing, 'a token that stood in the way is gone');
    await this.clean();
    return { id, token, expiresAt: standing.expires_at };
  }

  /**
   * Looks without using the token. Throws Refusal parameter_invalid, naming `token`, for a text that is none, and for a
   * token that has expired or that another command has used.
   */
  async find<Of extends Purpose>(purpose: Of, token: string, commandId: string): Promise<FoundToken<Of>> {
    const standing = TOKEN_PATTERN.test(token) ? await this.tokens.get(idOf(token)) : null;
    if (standing?.body.purpose !== purpose) throw deadLink();
    const { used_by, user_id, email, made_at, matter } = standing.body;
    if (!this.isOpen(standing.body) && used_by !== commandId) throw deadLink();
    return { id: standing.id, user_id, email, made_at, matter: matter as MatterOf<Of>, standing };
  }

  /** The open invitations of a merchant, or those of them that one user has. */
  async listOpenInvitations(merchantId: string, userId: string | null = null): Promise<readonly OpenInvitation[]> {
    const equals = { merchant_id: merchantId, purpose: 'invitation', ...(userId !== null && { user_id: userId }) };
    const standing = await this.tokens.list({ index: 'by_merchant', equals, limit: TOKENS_READ });
    return standing.flatMap(({ body }) => {
      const { user_id, email, made_at, matter } = body;
      return matter.purpose === 'invitation' && this.isOpen(body)
        ? [{ user_id, email, made_at, role: matter.role }]
        : [];
    });
  }

  /** Uses the token up. Throws Refusal parameter_invalid where another command was first. */
  async spend({ standing }: Pick<FoundToken, 'standing'>, commandId: string): Promise<void> {
    if (standing.body.used_by === commandId) return;
    if (!(await this.write(standing, commandId))) await this.checkSpentBy(standing.id, commandId);
  }

  /**
   * Ends the unused tokens of the purpose that the user has; the invitations of one merchant where one is named. False
   * where there are none.
   */
  async end(purpose: Purpose, userId: string, merchantId: string | null = null): Promise<boolean> {
    const equals = { user_id: userId, purpose, ...(merchantId !== null && { merchant_id: merchantId }) };
    const standing = await this.tokens.list({ index: 'by_user', equals, limit: TOKENS_READ });
    const ending = standing.filter(({ body }) => body.used_by === null);
    await Promise.all(ending.map(({ id, version }) => this.tokens.deleteAt(id, version)));
    return ending.length > 0;
  }

  private isOpen({ used_by, made_at, expires_at }: StoredToken): boolean {
    const nowMs = this.clock.now();
    // A link made ahead is of a clock that has been set back since, and would else live longer.
    const isAhead = parseIsoTime(made_at) > nowMs + CLOCK_DRIFT_MS;
    return used_by === null && !isAhead && nowMs < parseIsoTime(expires_at);
  }

  private write(standing: Document<StoredToken>, commandId: string): Promise<boolean> {
    const body = { ...standing.body, used_by: commandId };
    return this.tokens.replace({ ...standing, version: UNUSED_VERSION + 1, body }, UNUSED_VERSION);
  }

  /** Another use was faster; there is no harm where both uses are of this very command. */
  private async checkSpentBy(id: string, commandId: string): Promise<void> {
    if ((await this.tokens.get(id))?.body.used_by !== commandId) throw deadLink();
  }

  private async clean(): Promise<void> {
    const to = isoTime(this.clock.now() - KEPT_AFTER_END_MS);
    const old = await this.tokens.list({ index: 'by_end', equals: {}, range: { to }, limit: CLEANED_AT_A_TIME });
    await Promise.all(old.map(({ id, version }) => this.tokens.deleteUpTo(id, version)));
  }
}

/** The answer is the same for every link that does nothing. */
export function deadLink(): Error {
  const message = 'This link was used or withdrawn, has expired, or is not whole. Ask for another one.';
  return refuse('parameter_invalid', { param: 'token', message });
}

function idOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
