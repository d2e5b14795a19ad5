import type { ComponentChild } from 'preact';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../../src/platform/http/docs-routes';
import type { DocumentUrls } from '../../src/platform/http/openapi';
import type { BuiltPages } from './built-pages';
import { DEVELOPERS, PageSender } from './page-sender';

/** Pages for developers. The pages are in English, and run no script but the service's own. */
export class EnglishPages {
  private readonly sender: PageSender;

  constructor(
    built: BuiltPages,
    readonly urls: DocumentUrls,
  ) {
    this.sender = new PageSender(built, basePathOf(urls), DEVELOPERS);
  }

  async send(request: FastifyRequest, reply: FastifyReply, page: ComponentChild, status: number = 200): Promise<void> {
    const path = (request.raw.url ?? '/').split('?', 1)[0] ?? '/';
    await this.sender.send(request, reply, this.sender.factsFor(request, path), page, status);
  }
}
