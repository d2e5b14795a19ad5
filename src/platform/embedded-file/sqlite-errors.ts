import { isRefusal, refuse, type Refusal } from '../../vocabulary/errors';
import { OutcomeUnknown, StoreUnavailable } from '../../kernel/ports/event-store';

/** Primary result codes, https://sqlite.org/rescode.html */
const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_TOOBIG = 18;
const SQLITE_CONSTRAINT = 19;
const SQLITE_MISMATCH = 20;
const SQLITE_RANGE = 25;
const SQLITE_NOTADB = 26;

/** Codes for a statement's own fault; every other code is about the file, the disk or the lock. */
const STATEMENT_CODES: readonly number[] = [
  SQLITE_ERROR,
  SQLITE_TOOBIG,
  SQLITE_CONSTRAINT,
  SQLITE_MISMATCH,
  SQLITE_RANGE,
];

/** Codes for pages that are not as they were written: waiting mends none of them. */
const DAMAGE_CODES: readonly (number | null)[] = [SQLITE_CORRUPT, SQLITE_NOTADB];
/** Causes of an error that are looked at; deeper ones are not. */
const CAUSES_LOOKED_AT = 8;

function primaryCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : null;
}

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

export function isConstraintViolation(error: unknown): error is Error {
  return primaryCode(error) === SQLITE_CONSTRAINT;
}

/** True when the file itself cannot serve: disk full, read-only, I/O error, locked, corrupt. */
export function isFileFailure(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== null && !STATEMENT_CODES.includes(code);
}

/** A failure of the file, as its callers are told; any other error is handed back unchanged. */
export function asStoreError(error: unknown, path: string): unknown {
  if (!isFileFailure(error) || isRefusal(error)) return error;
  return new StoreUnavailable(`${path}: ${(error as Error).message}`, { cause: error });
}

/**
 * A failed commit. When the sync itself failed, the whole transaction may be in the log, where the next process finds
 * it. So the outcome is unknown.
 */
export function asCommitError(error: unknown, path: string): unknown {
  if (primaryCode(error) !== SQLITE_IOERR) return asStoreError(error, path);
  return new OutcomeUnknown(`${path}: ${(error as Error).message}`, { cause: error });
}

/** The refusal of a start that meets damaged pages of the file at `path`; null where the error tells of none. */
export function damageMet(error: unknown, path: string): Refusal | null {
  let each = error as Error | undefined;
  for (let depth = 0; depth < CAUSES_LOOKED_AT && each; depth++) {
    if (DAMAGE_CODES.includes(primaryCode(each))) return damagedFile(path, each.message, error);
    each = each.cause as Error | undefined;
  }
  return null;
}

export function damagedFile(path: string, fault: string, cause?: unknown): Refusal {
  const remedy = 'Stop every process that works on it, and restore the backup.';
  const message = `${path} cannot be used: its pages are damaged (${fault.replaceAll(/\s+/g, ' ')}). ${remedy}`;
  return refuse('invalid_config', { param: 'data_folder', message, cause });
}
