import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entropy } from '../../kernel/entropy';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { makeOwnFolder, OWNER_ONLY_FILE } from '../embedded-file/owner-only';

export const KEY_FILE_NAME = 'secret.key';
/** The key that takes the place of `secret.key` once it wraps all data keys. */
const NEXT_KEY_FILE_NAME = 'secret.key.next';
/** The key that `secret.key` has replaced. A process that read it before may have wrapped a data key since. */
const REPLACED_KEY_FILE_NAME = 'secret.key.former';
const KEY_BYTES = 32;
const OTHERS_MASK = 0o077;

type MasterKeySource = {
  /** 32 bytes; null where the key lives in the data folder. */
  readonly secretKey: Uint8Array | null;
  readonly formerSecretKey: Uint8Array | null;
  readonly dataFolder: string;
};

/**
 * Keys of 32 bytes. `former` is null where only one key is in use. `replaced` was in use before both, and opens what it
 * has wrapped.
 */
export type MasterKeys = {
  readonly current: Uint8Array;
  readonly former: Uint8Array | null;
  readonly replaced?: Uint8Array | null;
  /** The variable or the file of each key; those of VARIABLES where they are absent. */
  readonly sources?: KeySources;
};

type KeySources = { readonly current: string; readonly former: string; readonly replaced: string };

export const VARIABLES: KeySources = {
  current: 'SECRET_KEY',
  former: 'SECRET_KEY_FORMER',
  replaced: REPLACED_KEY_FILE_NAME,
};
/** While a rotation is under way, its new key is the one in use beside `secret.key`. */
const FILES: KeySources = { ...VARIABLES, current: KEY_FILE_NAME, former: NEXT_KEY_FILE_NAME };
const FILES_OF_ROTATION: KeySources = { ...VARIABLES, current: NEXT_KEY_FILE_NAME, former: KEY_FILE_NAME };

/**
 * The configured keys or, outside production, the key in `secret.key` of the data folder. That key is made on first use
 * and shared with the command line. Throws Refusal invalid_config, naming the file, when others can read it or it holds
 * no key. Throws the same when this account may not read or make the file.
 */
export function loadMasterKeys(source: MasterKeySource, entropy: Entropy): MasterKeys {
  const { secretKey, formerSecretKey, dataFolder } = source;
  if (secretKey) return { current: secretKey, former: formerSecretKey, replaced: null };
  // A rotation that was broken off may have wrapped all data keys by the next key. The next key is read first, since
  // the other one's place is where it goes.
  const next = keyIn(dataFolder, NEXT_KEY_FILE_NAME, () => null);
  const current = keyIn(dataFolder, KEY_FILE_NAME, () => makeKey(dataFolder, KEY_FILE_NAME, entropy));
  const former = next && Buffer.from(next).equals(current) ? null : next;
  return { current, former, replaced: replacedIn(dataFolder), sources: FILES };
}

/** The keys of a rotation: the next one, which is made on first use, and the one that it replaces. */
export function loadNextMasterKeys(dataFolder: string, entropy: Entropy): MasterKeys {
  return {
    current: keyIn(dataFolder, NEXT_KEY_FILE_NAME, () => makeKey(dataFolder, NEXT_KEY_FILE_NAME, entropy)),
    former: keyIn(dataFolder, KEY_FILE_NAME, () => makeKey(dataFolder, KEY_FILE_NAME, entropy)),
    replaced: replacedIn(dataFolder),
    sources: FILES_OF_ROTATION,
  };
}

/** The next key takes the place of `secret.key` at once. That one is kept as `secret.key.former`. */
export function adoptNextMasterKey(dataFolder: string): void {
  const file = join(dataFolder, KEY_FILE_NAME);
  const [draft, replaced] = [`${file}.replaced`, join(dataFolder, REPLACED_KEY_FILE_NAME)];
  // A link leaves `secret.key` in its place until the next key is there.
  rmSync(draft, { force: true });
  linkSync(file, draft);
  renameSync(draft, replaced);
  // Where both names are one file already, the renaming has left the draft.
  rmSync(draft, { force: true });
  renameSync(join(dataFolder, NEXT_KEY_FILE_NAME), file);
}

function replacedIn(dataFolder: string): Uint8Array | null {
  return keyIn(dataFolder, REPLACED_KEY_FILE_NAME, () => null);
}

/** Throws Refusal invalid_config where the key of a log that exists is neither configured nor in the data folder. */
export function refuseLostKey({ secretKey, dataFolder }: MasterKeySource): void {
  const file = join(dataFolder, KEY_FILE_NAME);
  if (secretKey !== null || existsSync(file)) return;
  throw unusable(file, 'is missing, and the log has secrets: restore the file, or set SECRET_KEY');
}

function keyIn<None>(dataFolder: string, name: string, none: () => None): Uint8Array | None {
  const file = join(dataFolder, name);
  try {
    return readKey(file) ?? none();
  } catch (error) {
    if (isRefusal(error)) throw error;
    const message = `SECRET_KEY is not set and ${file} cannot be read or made: ${(error as Error).message}.`;
    throw refuse('invalid_config', { param: 'DATA_FOLDER', message, cause: error });
  }
}

function readKey(file: string): Uint8Array | null {
  let text: string;
  try {
    if (statSync(file).mode & OTHERS_MASK) throw unusable(file, 'must be readable by its owner only (chmod 600)');
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== text)
    throw unusable(file, `must hold ${KEY_BYTES} bytes in base64`);
  return key;
}

/** A link to a whole file lets exactly one of several starting processes win, and none see half a key. */
function makeKey(dataFolder: string, name: string, entropy: Entropy): Uint8Array {
  makeOwnFolder(dataFolder);
  const file = join(dataFolder, name);
  const draft = `${file}.${Buffer.from(entropy.bytes(8)).toString('hex')}`;
  writeFileSync(draft, `${Buffer.from(entropy.bytes(KEY_BYTES)).toString('base64')}\n`, {
    mode: OWNER_ONLY_FILE,
    flag: 'wx',
    flush: true,
  });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  const key = readKey(file);
  if (!key) throw unusable(file, 'vanished while it was being made');
  return key;
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}

function unusable(file: string, why: string) {
  return refuse('invalid_config', { param: 'SECRET_KEY', message: `SECRET_KEY is not set and ${file} ${why}.` });
}
