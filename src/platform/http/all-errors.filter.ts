import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import type { Refusal } from '../../vocabulary/errors';
import type { Log } from '../../kernel/ports/log';
import type { ApiRequest } from './caller';
import { asRefusal, errorBody, type ErrorUrls } from './error-answer';
import { faultPage } from './fault-page';
import { KeptAnswer } from './kept-answer';
import { loggedRequestGuide } from './logged-request.page';
import { HTML_TYPE, PLAIN_PAGE_POLICY } from './plain-page';
import { prefersHtml } from './preferred-type';

/** Paths of pages; a browser gets their faults as pages too, also where no route serves the path. */
const PAGES = /^\/(?:dashboard|docs)(?:[/?]|$)/;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The only place that turns a refusal into a status. A kept answer comes here too, past all steps that would answer
 * anew.
 */
@Catch()
export class AllErrorsFilter implements ExceptionFilter {
  constructor(
    private readonly urls: ErrorUrls,
    private readonly log: Log,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    if (error instanceof KeptAnswer) error.send(http.getResponse<FastifyReply>());
    else this.answer(asRefusal(error), http.getRequest<ApiRequest>(), http.getResponse<FastifyReply>());
  }

  private answer(refusal: Refusal, request: ApiRequest, reply: FastifyReply): void {
    const isPage = PAGES.test(request.routeOptions.url ?? request.raw.url ?? '');
    if (isPage) void reply.header('vary', 'accept');
    const isForPeople = isPage && prefersHtml(request.headers.accept);
    // A browser cannot show a key. So this is an answer, and no refusal.
    if (isForPeople && refusal.code === 'authentication_required') {
      sendPage(reply, this.guide(request));
      return;
    }
    request.errorCode = refusal.code;
    this.logFault(refusal, request.id);
    if (reply.sent) return;
    const { retryAfterSeconds } = refusal;
    if (retryAfterSeconds !== null) void reply.header('retry-after', String(retryAfterSeconds));
    // The reply is not awaited: it ends when its last byte is gone, which never happens where the client has left.
    void reply.status(ERROR_CATALOGUE[refusal.code].status);
    if (isForPeople) sendPage(reply, faultPage(refusal.code, this.urls.docsUrl));
    // A route of pages may have named its type before it failed.
    else void reply.type(JSON_TYPE).send(errorBody(refusal, request.id, this.urls, request.account?.mode ?? null));
  }

  private guide({ params }: ApiRequest): string {
    const { id } = params as Readonly<Record<string, string | undefined>>;
    return loggedRequestGuide(`${this.urls.dashboardUrl}/requests`, id ?? '');
  }

  private logFault(refusal: Refusal, requestId: string): void {
    if (ERROR_CATALOGUE[refusal.code].type !== 'api_error') return;
    const facts = { request_id: requestId, code: refusal.code, err: refusal.cause ?? refusal };
    if (refusal.code === 'internal_error') this.log.error(facts, 'request met a bug');
    else this.log.warn(facts, 'request met a fault');
  }
}

function sendPage(reply: FastifyReply, text: string): void {
  void reply.header('content-security-policy', PLAIN_PAGE_POLICY).type(HTML_TYPE).send(text);
}
