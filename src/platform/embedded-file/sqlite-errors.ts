import { isRefusal } from '../../vocabulary/errors';
import { OutcomeUnknown, StoreUnavailable } from '../../kernel/ports/event-store';

/** Primary result codes, https://sqlite.org/rescode.html */
const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_TOOBIG = 18;
const SQLITE_CONSTRAINT = 19;
const SQLITE_MISMATCH = 20;
const SQLITE_RANGE = 25;

/** Codes for a statement's own fault; every other code is about the file, the disk or the lock. */
const STATEMENT_CODES: readonly number[] = [
  SQLITE_ERROR,
  SQLITE_TOOBIG,
  SQLITE_CONSTRAINT,
  SQLITE_MISMATCH,
  SQLITE_RANGE,
];

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
