import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { refuse } from '../../vocabulary/errors';
import { invariant } from '../../kernel/invariant';
import { readBody } from './body-bytes';
import { parseJsonBody, type JsonBody } from './body-json';
import { BODY_CHECK, type ApiRequest, type BodyCheck, type BodyCheckContext } from './caller';
import { validateDto } from './dto-validation';
import { FORM_FIELDS, FORM_OPTIONS, readForm } from './form-body';
import { bodyTypeOf, takesQuery } from './route-body';
import { UPLOAD_TERMS, Uploads, type UploadTerms } from './upload';

const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"?)?$/i;
const BODYLESS_METHODS = ['GET', 'HEAD'];
const EMPTY: JsonBody = {};

/**
 * Checks content type, body and validation, in this order and behind the guards: nothing of an unauthenticated request
 * is read. `@Body()` then gives the validated instance. A filter is never ignored: a route without query parameters
 * refuses any query.
 */
export class BodyStep {
  private readonly uploads = new Uploads();

  constructor(
    private readonly reflector: Reflector,
    private readonly provided: BodyCheckContext['provided'],
  ) {}

  async take(context: ExecutionContext): Promise<void> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const formFields = this.reflector.get<readonly string[] | undefined>(FORM_FIELDS, context.getHandler());
    if (formFields) {
      const optional = this.reflector.get<readonly string[] | undefined>(FORM_OPTIONS, context.getHandler());
      request.body = await readForm(request, formFields, optional);
      return;
    }
    const uploadTerms = this.reflector.get<UploadTerms | undefined>(UPLOAD_TERMS, context.getHandler());
    if (uploadTerms) {
      request.body = await this.uploads.read(request, uploadTerms);
      return;
    }
    const body = BODYLESS_METHODS.includes(request.method) ? null : await this.read(request);
    if ((request.caller || request.admin) && !takesQuery(context.getClass(), context.getHandler()))
      refuseQuery(request);
    if (body === null) return;
    const type = bodyTypeOf(context.getClass(), context.getHandler());
    const [unexpected] = type ? [] : Object.keys(body);
    if (unexpected !== undefined)
      throw refuse('parameter_invalid', { param: unexpected, message: `Unknown field: ${unexpected}.` });
    request.body = type ? validateDto(type, body) : undefined;
    this.check(context, request);
  }

  private check(context: ExecutionContext, { body, caller }: ApiRequest): void {
    const check = this.reflector.get<BodyCheck<unknown> | undefined>(BODY_CHECK, context.getHandler());
    if (!check) return;
    invariant(caller, 'a public route checks its body by its caller');
    check(body, { caller, provided: this.provided });
  }

  private async read(request: ApiRequest): Promise<JsonBody> {
    const { headers } = request.raw;
    const announced = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!announced) return EMPTY;
    if (!JSON_TYPE.test(headers['content-type'] ?? '')) throw refuse('unsupported_media_type');
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw refuse('unsupported_media_type');
    request.rawBody = await readBody(request.raw);
    return request.rawBody.length > 0 ? parseJsonBody(request.rawBody) : EMPTY;
  }
}

function refuseQuery({ query, method }: ApiRequest): void {
  const [filter] = Object.keys(query as object);
  if (filter === undefined) return;
  const isBodyless = BODYLESS_METHODS.includes(method);
  const message = isBodyless ? 'This call takes no query.' : `A ${method} takes no query: use the body.`;
  throw refuse('invalid_filter', { param: filter, message });
}
