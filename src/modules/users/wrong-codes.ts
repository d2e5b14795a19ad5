import { isoTime, MINUTE_MS, parseIsoTime, SECOND_MS } from '../../kernel/clock';
import { writeOver } from '../../kernel/write-over';
import { refuse, type Refusal } from '../../vocabulary/errors';
import type { Collection, CollectionSpec, Document, Documents } from '../../kernel/ports/documents';

/** Wrong codes of a key or a user, by their times. Older documents lack `wrong_revoke_at`. */
export type WrongCodes = {
  readonly wrong_at: readonly string[];
  /** Codes for the end of a key, sent while `wrong_at` barred all others. */
  readonly wrong_revoke_at?: readonly string[];
};
/** The count that a code belongs to. */
export type Tally = keyof WrongCodes;

const WRONG_TOTP_CODES: CollectionSpec = { name: 'wrong_totp_codes', indexes: {} };

/** Limits of each tally: a key is stopped long before its user, so that no key alone locks the user's other keys. */
export const WRONG_BY_KEY_LIMIT = 10;
export const WRONG_OF_USER_LIMIT = 50;
const WINDOW_MS = 10 * MINUTE_MS;
export const NO_WRONG_CODES: WrongCodes = { wrong_at: [] };
/** Clocks of several instances differ by less. */
const CLOCK_DRIFT_MS = MINUTE_MS;

/** The wrong codes of the last ten minutes that each key has sent, for whichever user. */
export class WrongCodesByKey {
  private constructor(private readonly codes: Collection<WrongCodes>) {}

  static async open(documents: Documents): Promise<WrongCodesByKey> {
    return new WrongCodesByKey(await documents.open<WrongCodes>(WRONG_TOTP_CODES));
  }

  get(keyId: string): Promise<Document<WrongCodes> | null> {
    return this.codes.get(keyId);
  }

  /** Counts one more since `standing`, and answers the counts; null where another request has counted meanwhile. */
  async count(
    keyId: string,
    standing: Document<WrongCodes> | null,
    tally: Tally,
    nowMs: number,
  ): Promise<WrongCodes | null> {
    const body = withOneMore(standing?.body ?? NO_WRONG_CODES, tally, nowMs);
    return (await writeOver(this.codes, keyId, standing, body)) ? body : null;
  }
}

/** A key, or a user with all keys, that has reached its limit of wrong codes. */
export type BarredCodes = {
  /** Null for the operator's people. */
  readonly merchantId: string | null;
  /** The key that has sent the newest of the wrong codes. */
  readonly keyId: string;
  readonly barred: {
    readonly kind: 'key' | 'user';
    readonly id: string;
    readonly limit: number;
    readonly tally: Tally;
  };
  /** The ten minutes in which the wrong codes began; the same for as long as the limit bars. */
  readonly period: string;
};

/** Gets the limits that are reached, each again with every further wrong code. The composition root provides it. */
export interface BarredCodesNotice {
  tell(barred: BarredCodes): Promise<void>;
}

export const BARRED_CODES_NOTICE = Symbol('BarredCodesNotice');

/** The counts with one more in `tally`. */
export function withOneMore(codes: WrongCodes, tally: Tally, nowMs: number): WrongCodes {
  return { ...codes, [tally]: [...counted(codes[tally] ?? [], nowMs), isoTime(nowMs)] };
}

/** The counts without the times that count no more. */
export function stillCounted({ wrong_at, wrong_revoke_at }: WrongCodes, nowMs: number): WrongCodes {
  return {
    wrong_at: counted(wrong_at, nowMs),
    ...(wrong_revoke_at && { wrong_revoke_at: counted(wrong_revoke_at, nowMs) }),
  };
}

/** The milliseconds until fewer than `limit` of these wrong codes count; 0 where fewer count now. */
export function waitMs(wrongAt: readonly string[], limit: number, nowMs: number): number {
  const decisive = counted(wrongAt, nowMs).at(-limit);
  return decisive === undefined ? 0 : parseIsoTime(decisive) + WINDOW_MS - nowMs;
}

/** The period of BarredCodes; null where fewer than `limit` of these wrong codes count now. */
export function barredPeriod(wrongAt: readonly string[], limit: number, nowMs: number): string | null {
  const decisive = counted(wrongAt, nowMs).at(-limit);
  return decisive === undefined ? null : isoTime(Math.floor(parseIsoTime(decisive) / WINDOW_MS) * WINDOW_MS);
}

const TOO_MANY: Readonly<Record<Tally, string>> = {
  wrong_at: 'Too many wrong one-time codes; those for revoking a key have a limit of their own.',
  wrong_revoke_at: 'Too many wrong one-time codes; the operator of the service can still revoke a key.',
};

/** The refusal of further codes for that long. */
export function tooManyCodes(forMs: number, tally: Tally = 'wrong_at'): Refusal {
  return refuse('rate_limit', { message: TOO_MANY[tally], retryAfterSeconds: Math.ceil(forMs / SECOND_MS) });
}

/** A time ahead was written by a clock that has been set back since, and would else be counted until it comes. */
function counted(wrongAt: readonly string[], nowMs: number): readonly string[] {
  return wrongAt.filter(time => {
    const atMs = parseIsoTime(time);
    return atMs <= nowMs + CLOCK_DRIFT_MS && nowMs - atMs < WINDOW_MS;
  });
}
