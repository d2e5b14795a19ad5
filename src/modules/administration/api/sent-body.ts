import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { parseJsonBody } from '../../../platform/http/body-json';
import type { ApiRequest } from '../../../platform/http/caller';
import type { JsonObject } from '../../../vocabulary/json';

/**
 * The body as it was sent, which an approval is bound to. The validation before it has changed forms of amounts, and
 * has refused every number that is no plain integer.
 */
export const SentBody = createParamDecorator((_: unknown, context: ExecutionContext): JsonObject => {
  const { rawBody } = context.switchToHttp().getRequest<ApiRequest>();
  return rawBody === undefined || rawBody.length === 0 ? {} : (parseJsonBody(rawBody) as JsonObject);
});
