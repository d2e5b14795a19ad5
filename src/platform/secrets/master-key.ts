import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entropy } from '../../kernel/entropy';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { makeOwnFolder, OWNER_ONLY_FILE } from '../embedded-file/owner-only';

export const KEY_FILE_NAME = 'secret.key';
const KEY_BYTES = 32;
const OTHERS_MASK = 0o077;

type MasterKeySource = {
  /** 32 bytes; null where the key lives in the data folder. */
  readonly secretKey: Uint8Array | null;
  readonly dataFolder: string;
};

/**
 * The configured key or, outside production, the key in `secret.key` of the data folder. That key is made on first use
 * and shared with the command line. Throws Refusal invalid_config, naming the file, when others can read it or it holds
 * no key. Throws the same when this account may not read or make the file.
 */
export function loadMasterKey({ secretKey, dataFolder }: MasterKeySource, entropy: Entropy): Uint8Array {
  if (secretKey) return secretKey;
  const file = join(dataFolder, KEY_FILE_NAME);
  try {
    return readKey(file) ?? makeKey(dataFolder, file, entropy);
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
function makeKey(dataFolder: string, file: string, entropy: Entropy): Uint8Array {
  makeOwnFolder(dataFolder);
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
