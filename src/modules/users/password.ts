import { scrypt, timingSafeEqual } from 'node:crypto';
import type { Entropy } from '../../kernel/entropy';
import { characterCount } from '../../vocabulary/characters';
import { refuse } from '../../vocabulary/errors';
import { networkOf } from '../sessions/client-network';
import { isCommonPassword } from './common-passwords';
import { FairTurns } from './fair-turns';

type ScryptCost = { readonly log2N: number; readonly r: number; readonly p: number };

/** OWASP's first recommendation for scrypt: 128 MiB and some 0.3 s a hash. */
export const PASSWORD_COST: ScryptCost = { log2N: 17, r: 8, p: 1 };
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 1_024;

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const NO_SALT = new Uint8Array(SALT_BYTES);
/** Hashes under way at once: each holds its 128 MiB and a thread of the pool. */
const CONCURRENT_HASHES = 2;
/** Hashes that may wait; more are turned away, so that a flood of sign-ins can't hold memory. */
const WAITING_HASHES = 64;
/** Hashes of one network that may wait: people of one office who sign in at the same moment. */
const WAITING_OF_NETWORK = 16;

const STORED_PATTERN =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]{16,64})\$([A-Za-z0-9_-]{16,128})$/;

/** Throws Refusal parameter_invalid, naming `password`, for a password that is too short, too long or common. */
export function checkPassword(password: string): void {
  const invalid = (message: string) => refuse('parameter_invalid', { param: 'password', message });
  if (characterCount(password) > MAX_PASSWORD_LENGTH)
    throw invalid(`A password has at most ${MAX_PASSWORD_LENGTH} characters.`);
  // The hashed spelling is the one that guessers try: full-width letters or composed accents make no password longer or
  // rarer.
  const hashed = spelling(password);
  if (characterCount(hashed) < MIN_PASSWORD_LENGTH)
    throw invalid(`A password has at least ${MIN_PASSWORD_LENGTH} characters.`);
  if (isCommonPassword(hashed)) throw invalid('This password is among the first that anybody would guess.');
}

/**
 * Hashes and compares passwords by scrypt, a few at a time. `ip` is the client's address: the clients of each network
 * wait for each other, and hold up no other network. All methods throw Refusal rate_limit when too many wait.
 */
export class Passwords {
  private readonly turns = new FairTurns({
    running: CONCURRENT_HASHES,
    waiting: WAITING_HASHES,
    inLine: WAITING_OF_NETWORK,
  });

  constructor(
    private readonly entropy: Entropy,
    private readonly cost: ScryptCost = PASSWORD_COST,
  ) {}

  /**
   * `$scrypt$ln=17,r=8,p=1$salt$hash`: the parameters stay with the hash, so a later cost leaves old hashes readable.
   */
  async hash(password: string, ip: string | null): Promise<string> {
    const salt = this.entropy.bytes(SALT_BYTES);
    const hash = await this.inTurn(ip, () => derive(password, salt, this.cost, HASH_BYTES));
    const { log2N, r, p } = this.cost;
    return `$scrypt$ln=${log2N},r=${r},p=${p}$${text(salt)}$${text(hash)}`;
  }

  /** Throws RangeError for a stored text that `hash` never made. */
  async matches(password: string, stored: string, ip: string | null): Promise<boolean> {
    const match = STORED_PATTERN.exec(stored);
    if (!match) throw new RangeError('not a stored password hash');
    const [, log2N, r, p, salt, hash] = match as unknown as [string, string, string, string, string, string];
    const expected = Buffer.from(hash, 'base64url');
    const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
    if (characterCount(password) > MAX_PASSWORD_LENGTH) return false;
    const derivation = () => derive(password, Buffer.from(salt, 'base64url'), cost, expected.length);
    const derived = await this.inTurn(ip, derivation);
    return timingSafeEqual(derived, expected);
  }

  /** Takes as long as `matches` takes for a stored text of today's cost: for a user who has no password. */
  async matchNone(password: string, ip: string | null): Promise<false> {
    if (characterCount(password) > MAX_PASSWORD_LENGTH) return false;
    await this.inTurn(ip, () => derive(password, NO_SALT, this.cost, HASH_BYTES));
    return false;
  }

  private inTurn<Result>(ip: string | null, work: () => Promise<Result>): Promise<Result> {
    return this.turns.take(networkOf(ip) ?? '', work);
  }
}

function derive(password: string, salt: Uint8Array, { log2N, r, p }: ScryptCost, length: number): Promise<Buffer> {
  const N = 2 ** log2N;
  // Node's own ceiling is 32 MiB; scrypt needs 128 N r bytes and a little.
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(spelling(password), salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** One spelling for each text: keyboards differ in how they compose accents. */
function spelling(password: string): string {
  return password.normalize('NFKC');
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
