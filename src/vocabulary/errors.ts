import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue';

export type { ErrorCode };

type RefusalOptions = {
  readonly param?: string;
  readonly message?: string;
  readonly cause?: unknown;
  /**
   * Seconds after which the client is to come again. A server fault that has them shows its own message to the client;
   * any other server fault shows its title.
   */
  readonly retryAfterSeconds?: number;
  /** Names the check that has failed, where a code stands for several. */
  readonly detail?: { readonly reason: string };
};

/** A request, command or decision that is refused with a catalogued code. No other code knows a status. */
export class Refusal extends Error {
  readonly param: string | null;
  readonly retryAfterSeconds: number | null;
  readonly detail: { readonly reason: string } | null;

  constructor(
    readonly code: ErrorCode,
    options: RefusalOptions = {},
  ) {
    super(options.message ?? ERROR_CATALOGUE[code].title, { cause: options.cause });
    this.name = 'Refusal';
    this.param = options.param ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.detail = options.detail ?? null;
  }
}

/** `throw refuse('wallet_not_verified', { param: 'wallet_id' })` */
export function refuse(code: ErrorCode, options?: RefusalOptions): Refusal {
  return new Refusal(code, options);
}

export function isRefusal(error: unknown, code?: ErrorCode): error is Refusal {
  return error instanceof Refusal && (code === undefined || error.code === code);
}
