import { HttpException } from '@nestjs/common';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { isRefusal, refuse, type Refusal } from '../../vocabulary/errors';
import { StoreUnavailable } from '../../kernel/ports/event-store';
import { ReadModelBeingBuilt } from '../../kernel/ports/read-models';

export type ErrorUrls = { readonly docsUrl: string; readonly dashboardUrl: string };

type ErrorBody = {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly param?: string;
    readonly doc_url: string;
    readonly request_log_url: string;
  };
};

const SERVER_FAULT = 500;
/** The time after which a client asks again for a read model that is being built anew. */
const BUILDING_RETRY_SECONDS = 5;

/**
 * The envelope of every failed request. The inside of the service is not for clients to read, so a server fault shows
 * only its title. A server fault that says when to come again shows its message.
 */
export function errorBody(refusal: Refusal, requestId: string, urls: ErrorUrls): ErrorBody {
  const { type, title, status } = ERROR_CATALOGUE[refusal.code];
  return {
    error: {
      type,
      code: refusal.code,
      message: status >= SERVER_FAULT && refusal.retryAfterSeconds === null ? title : refusal.message,
      ...(refusal.param !== null && { param: refusal.param }),
      doc_url: `${urls.docsUrl}/errors/${refusal.code}`,
      request_log_url: `${urls.dashboardUrl}/requests/${requestId}`,
    },
  };
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
