import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { DuplicateKey } from '../../../kernel/ports/documents';
import { StoreUnavailable } from '../../../kernel/ports/event-store';

export const DUPLICATE_KEY = 11_000;
const NAMESPACE_NOT_FOUND = 26;
const NAMESPACE_EXISTS = 48;
/** CursorNotFound and QueryPlanKilled: another collection took this one's place while it was read. */
const REPLACED_WHILE_READ: readonly unknown[] = [43, 175];

/**
 * HostUnreachable, HostNotFound, MaxTimeMSExpired, WriteConcernTimeout, NetworkTimeout, ShutdownInProgress,
 * UnsatisfiableWriteConcern, PrimarySteppedDown, ExceededTimeLimit, SocketException, NotWritablePrimary,
 * InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
 */
const UNAVAILABLE_CODES: readonly unknown[] = [
  6, 7, 50, 64, 89, 91, 100, 189, 262, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436,
]; // prettier-ignore

/** The pool's errors have no class of their own outside of the driver. */
const UNAVAILABLE_NAMES: readonly string[] = [
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
];

export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

export function isNamespaceNotFound(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND;
}

export function isNamespaceExists(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === NAMESPACE_EXISTS;
}

export function wasReplacedWhileRead(error: unknown): boolean {
  return error instanceof MongoServerError && REPLACED_WHILE_READ.includes(error.code);
}

/** The index that refused, by the server's message: `… index: by_email dup key: …`. */
export function violatedIndex(message: string): string {
  return / index: (\S+) dup key/.exec(message)?.[1] ?? 'unknown';
}

/** Whether the id itself was taken: by another writer at the same moment, or by a document that the filter left out. */
export function isIdTaken(error: unknown): boolean {
  return isDuplicateKey(error) && violatedIndex(error.message) === '_id_';
}

/** The port's error for the driver's error; an error that is neither an outage nor a duplicate stays as it is. */
export function asPortError(collection: string, error: unknown): unknown {
  if (isUnavailable(error)) {
    return new StoreUnavailable(`MongoDB, ${collection}: ${(error as Error).message}`, { cause: error });
  }
  if (isDuplicateKey(error) && !(error instanceof MongoBulkWriteError)) {
    return new DuplicateKey(collection, violatedIndex(error.message));
  }
  return error;
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  // A bulk write wraps the error that ended it, of any kind.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) {
    return isUnavailable(error.errorResponse);
  }
  if (error instanceof MongoServerError) {
    return (
      error instanceof MongoWriteConcernError ||
      UNAVAILABLE_CODES.includes(error.code) ||
      error.hasErrorLabel(MongoErrorLabel.RetryableWriteError)
    );
  }
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoOperationTimeoutError ||
    UNAVAILABLE_NAMES.includes(error.name)
  );
}
