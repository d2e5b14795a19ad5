import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue';

export type { ErrorCode };

/** A request, command or decision that is refused with a catalogued code. Nothing else knows a status. */
export class Refusal extends Error {
  readonly param: string | null;

  constructor(
    readonly code: ErrorCode,
    options: { readonly param?: string; readonly message?: string; readonly cause?: unknown } = {},
  ) {
    super(options.message ?? ERROR_CATALOGUE[code].title, { cause: options.cause });
    this.name = 'Refusal';
    this.param = options.param ?? null;
  }
}

/** `throw refuse('wallet_not_verified', { param: 'wallet_id' })` */
export function refuse(
  code: ErrorCode,
  options?: { readonly param?: string; readonly message?: string; readonly cause?: unknown },
): Refusal {
  return new Refusal(code, options);
}

export function isRefusal(error: unknown, code?: ErrorCode): error is Refusal {
  return error instanceof Refusal && (code === undefined || error.code === code);
}
