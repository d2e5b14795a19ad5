import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { refuse } from '../../vocabulary/errors';
import { readBody } from './body-bytes';
import type { ApiRequest } from './caller';

export const FORM_FIELDS = Symbol('form fields');
export const FORM_OPTIONS = Symbol('form options');
export const FORM_OF_MANY = Symbol('form of many');

/** The fields of a page's form, by name. */
export type FormBody = Readonly<Record<string, string>>;

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:; *charset="?utf-8"?)?$/i;

/** The route takes a form of a page, with these fields and no others, in place of JSON. */
export const TakesForm = (...fields: readonly string[]) => SetMetadata(FORM_FIELDS, fields);

/** The form may lack these fields: a browser leaves out a box that is not ticked. */
export const MayLack = (...fields: readonly string[]) => SetMetadata(FORM_OPTIONS, fields);

/** The form of one page that many people send at once. Each address has its own limit, which nobody else uses up. */
export const OfManyPeople = () => SetMetadata(FORM_OF_MANY, true);

/** The form of a route that takes one. */
export const SentForm = createParamDecorator((_: unknown, context: ExecutionContext): FormBody => {
  return context.switchToHttp().getRequest<{ body: FormBody }>().body;
});

/**
 * The fields of a form that one of the service's own pages has sent. Throws Refusal permission_denied for a form of
 * another site, unsupported_media_type, request_too_large, and parameter_invalid for a field that is unknown, repeated
 * or missing.
 */
export async function readForm(
  request: ApiRequest,
  fields: readonly string[],
  optional: readonly string[] = [],
): Promise<FormBody> {
  checkSite(request);
  if (!FORM_TYPE.test(request.raw.headers['content-type'] ?? '')) throw refuse('unsupported_media_type');
  if ((request.raw.headers['content-encoding'] ?? 'identity') !== 'identity') throw refuse('unsupported_media_type');
  request.rawBody = await readBody(request.raw);
  const sent = [...new URLSearchParams(request.rawBody.toString())];
  const names = sent.map(([name]) => name);
  const wrong = names.find((name, index) => ![...fields, ...optional].includes(name) || names.indexOf(name) < index);
  if (wrong !== undefined) throw refuse('parameter_invalid', { param: wrong, message: 'The form has no such field.' });
  const missing = fields.find(field => !names.includes(field));
  if (missing !== undefined) throw refuse('parameter_missing', { param: missing });
  return Object.fromEntries(sent);
}

/**
 * A browser says from which site a form comes; an older one names at least the page's origin. Throws Refusal
 * permission_denied for another site's.
 */
export function checkSite({ raw: { headers } }: ApiRequest): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? isOwnOrigin(headers.origin, headers.host) : site === 'same-origin';
  if (!isOwn) throw refuse('permission_denied', { message: 'Only a page of this service may send this form.' });
}

function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
