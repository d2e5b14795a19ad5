import { HttpException } from '@nestjs/common';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { isRefusal, refuse, type ErrorCode, type Refusal } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import { StoreUnavailable } from '../../kernel/ports/event-store';
import { ReadModelBeingBuilt } from '../../kernel/ports/read-models';

export type ErrorUrls = { readonly docsUrl: string; readonly dashboardUrl: string };

type ErrorBody = {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly param?: string;
    /** The failed check, where the code stands for several. */
    readonly detail?: { readonly reason: string };
    readonly doc_url: string;
    readonly request_log_url: string;
  };
};

const SERVER_FAULT = 500;
/** Objects that exist in one mode, so that an id is missing for a key of the other. */
const OBJECTS_OF_MODES: readonly ErrorCode[] = [
  'resource_missing', 'payment_not_found', 'wallet_not_found', 'unknown_endpoint', 'unmatched_transfer_not_found',
  'route_wallet_missing',
]; // prettier-ignore
/** The time after which a client asks again for a read model that is being built anew. */
const BUILDING_RETRY_SECONDS = 5;

/**
 * The envelope of every failed request. The inside of the service is not for clients to read, so a server fault shows
 * only its title. A server fault that says when to come again shows its message. `mode` is that of the request's key;
 * null where there is none.
 */
export function errorBody(refusal: Refusal, requestId: string, urls: ErrorUrls, mode: Mode | null = null): ErrorBody {
  const { type, title, status } = ERROR_CATALOGUE[refusal.code];
  const message = mode === null ? refusal.message : messageIn(mode, refusal);
  return {
    error: {
      type,
      code: refusal.code,
      message: status >= SERVER_FAULT && refusal.retryAfterSeconds === null ? title : message,
      ...(refusal.param !== null && { param: refusal.param }),
      ...(refusal.detail !== null && { detail: refusal.detail }),
      doc_url: `${urls.docsUrl}/errors/${refusal.code}`,
      request_log_url: `${urls.dashboardUrl}/requests/${requestId}`,
    },
  };
}

/** A message without words of its own names the key's mode, alike for an id of the other mode and one of none. */
function messageIn(mode: Mode, { code, message }: Refusal): string {
  if (!OBJECTS_OF_MODES.includes(code) || message !== ERROR_CATALOGUE[code].title) return message;
  return `${message} The key is for ${mode} mode: check the id, and that it was made by a ${mode} key.`;
}

/** The refusal for an error; a bug is internal_error with the error as its cause. */
export function asRefusal(error: unknown): Refusal {
  if (isRefusal(error)) return error;
  if (error instanceof ReadModelBeingBuilt)
    return refuse('provider_unavailable', {
      message: 'This service was upgraded, and what you ask for is still being prepared; try again shortly.',
      cause: error,
      retryAfterSeconds: BUILDING_RETRY_SECONDS,
    });
  if (error instanceof StoreUnavailable) return refuse('provider_unavailable', { cause: error });
  // The framework's own errors: a target that its router cannot take, and a method that must name a media type.
  if (error instanceof HttpException && error.getStatus() === 404) return refuse('unknown_route');
  if (error instanceof HttpException && error.getStatus() === 415) return refuse('unsupported_media_type');
  return refuse('internal_error', { cause: error });
}
