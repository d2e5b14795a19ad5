import type { ErrorCode } from './generated/error-code';

/** A code of the catalogue; a code that is newer than this client is any other string. */
export type Code = ErrorCode | (string & Record<never, never>);

/** Every error that this client throws, except a TypeError or RangeError for a call that is wrong in itself. */
export class QuittanceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * No answer came: the connection failed, broke off or took too long. The service may have carried out the request all
 * the same.
 */
export class ConnectionError extends QuittanceError {}

/** An answer that is not the service's, such as a proxy's page or a redirect. */
export class UnexpectedAnswerError extends QuittanceError {
  constructor(readonly status: number) {
    super(`The answer with status ${status} is not one of the service.`);
  }
}

export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: Code;
  readonly message: string;
  /** The field at fault, when it is exactly one. */
  readonly param: string | null;
  readonly docUrl: string;
  readonly requestLogUrl: string;
  /** The id to name when asking support. */
  readonly requestId: string | null;
  /** Seconds that the service asked to wait before the next attempt. */
  readonly retryAfterSeconds: number | null;
}

/**
 * The service refused. The error's class is its type, which never changes its meaning; the code tells the exact reason.
 */
export class RefusedError extends QuittanceError implements Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: Code;
  readonly param: string | null;
  readonly docUrl: string;
  readonly requestLogUrl: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${refusal.message}`);
    this.status = refusal.status;
    this.type = refusal.type;
    this.code = refusal.code;
    this.param = refusal.param;
    this.docUrl = refusal.docUrl;
    this.requestLogUrl = refusal.requestLogUrl;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** The request was wrong; mend it first. */
export class InvalidRequestError extends RefusedError {}

/** The request was fine, and the payment cannot proceed before something has changed. */
export class PaymentError extends RefusedError {}

/** The idempotency key belongs to another request; take a new one. */
export class IdempotencyError extends RefusedError {}

/** A fault of the service. */
export class ApiError extends RefusedError {}

const CLASSES: Readonly<Record<string, new (refusal: Refusal) => RefusedError>> = {
  invalid_request_error: InvalidRequestError,
  payment_error: PaymentError,
  idempotency_error: IdempotencyError,
  api_error: ApiError,
};

export function refusedError(refusal: Refusal): RefusedError {
  const ErrorClass = CLASSES[refusal.type] ?? RefusedError;
  return new ErrorClass(refusal);
}
