import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import { html } from '../docs/html';
import type { ApiRequest } from './caller';
import { asRefusal } from './error-answer';
import { page } from './logged-request.page';

const UNAUTHENTICATED = 401;
const HOW_TO_ENTER = 'Open it with a key of the account that has the scope request_log:read, in the header Authorization: Bearer …';

/**
 * A refusal as a page. The page depends on the code alone, so an unknown object and another merchant's object give the
 * same bytes.
 */
@Catch()
export class PageErrorsFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { code, cause } = asRefusal(error);
    const request = http.getRequest<ApiRequest>();
    request.errorCode = code;
    const { status, title } = ERROR_CATALOGUE[code];
    if (code === 'internal_error') request.log.error({ request_id: request.id, err: cause }, 'page met a bug');
    const hint = status === UNAUTHENTICATED ? [html`<p>${HOW_TO_ENTER}</p>`] : [];
    const text = page(`${status} ${code}`, [html`<p>${title}</p>`, ...hint]);
    void http.getResponse<FastifyReply>().status(status).type('text/html; charset=utf-8').send(text);
  }
}
