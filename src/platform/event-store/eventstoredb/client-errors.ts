import { ErrorType } from '@eventstore/db-client';
import { StoreUnavailable } from '../../../kernel/ports/event-store';

/**
 * The client's errors are known by their `type`: messages may be empty, and an outage can come as a plain gRPC error.
 */
function errorType(error: unknown): string | null {
  const type: unknown = (error as { type?: unknown } | null | undefined)?.type;
  return typeof type === 'string' ? type : null;
}

export function isErrorType(error: unknown, ...types: readonly ErrorType[]): boolean {
  return (types as readonly (string | null)[]).includes(errorType(error));
}

/** The server took the call and refused: another try would get the same answer. */
export function isRefused(error: unknown): boolean {
  return isErrorType(
    error,
    ErrorType.ACCESS_DENIED,
    ErrorType.INVALID_ARGUMENT,
    ErrorType.STREAM_DELETED,
    ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
    ErrorType.UNSUPPORTED,
  );
}

/** UNKNOWN is the code of 23.10, INVALID_ARGUMENT that of 24.10: no event begins at the position that was named. */
const NO_POSITION_CODES: readonly unknown[] = [2, 3];

export function isNoPosition(error: unknown): boolean {
  const cause: unknown = error instanceof StoreUnavailable ? error.cause : error;
  return NO_POSITION_CODES.includes((cause as { code?: unknown } | null | undefined)?.code);
}

/** The client's error in a sentence; an error without a message is named by its type. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || errorType(error) || error.name;
}

/** The error for calls that write nothing: every error except a refusal is an outage. */
export function asStoreError(what: string, error: unknown): Error {
  if (error instanceof StoreUnavailable) return error;
  const message = `${what}: ${describe(error)}`;
  return isRefused(error) ? new Error(message, { cause: error }) : new StoreUnavailable(message, { cause: error });
}
