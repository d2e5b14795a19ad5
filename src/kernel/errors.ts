import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue';

export type { ErrorCode };

export type RefusalOptions = {
  readonly param?: string;
  readonly message?: string;
  readonly cause?: unknown;
  /** Given where the message is written for the client, who reads only the title of other server faults. */
  readonly retryAfterSeconds?: number;
};

/** A request, command or decision that is refused with a catalogued code. Nothing else knows a status. */
export class Refusal extends Error {
  readonly param: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    readonly code: ErrorCode,
    options: RefusalOptions = {},
  ) {
    super(options.message ?? ERROR_CATALOGUE[code].title, { cause: options.cause });
    this.name = 'Refusal';
    this.param = options.param ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** `throw refuse('wallet_not_verified', { param: 'wallet_id' })` */
export function refuse(code: ErrorCode, options?: RefusalOptions): Refusal {
  return new Refusal(code, options);
}

export function isRefusal(error: unknown, code?: ErrorCode): error is Refusal {
  return error instanceof Refusal && (code === undefined || error.code === code);
}
