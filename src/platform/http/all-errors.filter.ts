import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import type { Refusal } from '../../vocabulary/errors';
import type { Log } from '../../kernel/ports/log';
import type { ApiRequest } from './caller';
import { Detour } from './detour';
import { asRefusal, errorBody, type ErrorUrls } from './error-answer';
import type { FaultPages } from './fault-pages';
import { KeptAnswer } from './kept-answer';
import { prefersHtml } from './preferred-type';
import type { RequestRates } from './rate-limit';

/** Paths of pages; a browser gets their faults as pages too. */
export const PAGES = /^\/(?:checkout|console|dashboard|docs|invoices|pay)(?:[/?]|$)/;
/** A path that no route serves is a page's too, unless it is the API's. */
const API = /^\/(?:v1|admin)(?:[/?]|$)/;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The only place that turns a refusal into a status. Kept answers and detours come here too, past all steps that would
 * answer anew.
 */
@Catch()
export class AllErrorsFilter implements ExceptionFilter {
  constructor(
    private readonly urls: ErrorUrls,
    private readonly log: Log,
    /** Without them, people get the envelope too. */
    private readonly pages: FaultPages | null,
    private readonly rates: Pick<RequestRates, 'chargeAddress'>,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    if (error instanceof KeptAnswer || error instanceof Detour) error.send(http.getResponse<FastifyReply>());
    else {
      const request = http.getRequest<ApiRequest>();
      this.answer(this.charged(asRefusal(error), request), request, http.getResponse<FastifyReply>());
    }
  }

  /** A refusal on a route that costs nothing is charged to the client's address, which may have to wait. */
  private charged(refusal: Refusal, request: ApiRequest): Refusal {
    if (request.rate !== undefined || request.account !== undefined) return refusal;
    try {
      this.rates.chargeAddress(request);
      return refusal;
    } catch (error) {
      return asRefusal(error);
    }
  }

  private answer(refusal: Refusal, request: ApiRequest, reply: FastifyReply): void {
    const { url: served } = request.routeOptions;
    const isPage = served === undefined ? !API.test(request.raw.url ?? '') : PAGES.test(served);
    if (isPage) void reply.header('vary', 'accept');
    const pages = isPage && prefersHtml(request.headers.accept) ? this.pages : null;
    // A browser cannot show a key. So this is an answer, and no refusal.
    if (pages && refusal.code === 'authentication_required') {
      this.sendOr(pages.sendLogGuide(request, reply), refusal, request, reply);
      return;
    }
    request.errorCode = refusal.code;
    this.logFault(refusal, request.id);
    if (reply.sent) return;
    const { retryAfterSeconds } = refusal;
    if (retryAfterSeconds !== null) void reply.header('retry-after', String(retryAfterSeconds));
    // The reply is not awaited: it ends when its last byte is gone, which never happens where the client has left.
    if (pages) this.sendOr(pages.sendFault(refusal.code, request, reply), refusal, request, reply);
    else this.sendEnvelope(refusal, request, reply);
  }

  /** A page that cannot be made leaves the envelope. */
  private sendOr(sent: Promise<void>, refusal: Refusal, request: ApiRequest, reply: FastifyReply): void {
    sent.catch((error: unknown) => {
      this.log.error({ request_id: request.id, err: error }, 'a page could not be made');
      if (!reply.sent) this.sendEnvelope(refusal, request, reply);
    });
  }

  private sendEnvelope(refusal: Refusal, request: ApiRequest, reply: FastifyReply): void {
    const body = errorBody(refusal, request.id, this.urls, request.account?.mode ?? null);
    // A route of pages may have named its type before it failed.
    void reply.status(ERROR_CATALOGUE[refusal.code].status).type(JSON_TYPE).send(body);
  }

  private logFault(refusal: Refusal, requestId: string): void {
    if (ERROR_CATALOGUE[refusal.code].type !== 'api_error') return;
    const facts = { request_id: requestId, code: refusal.code, err: refusal.cause ?? refusal };
    if (refusal.code === 'internal_error') this.log.error(facts, 'request met a bug');
    else this.log.warn(facts, 'request met a fault');
  }
}
