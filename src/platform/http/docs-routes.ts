import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../vocabulary/errors';
import type { ApiDocument } from '../docs/api-document';
import { DocsSite } from '../docs/docs-site';
import { apiDocument, type DocumentUrls } from './openapi';
import { errorExamples } from './openapi-errors';
import { prefersHtml } from './preferred-type';

/** The pages run one script of their own and talk to this service alone. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_FOUND = 404;

type Answer = { readonly status?: number; readonly type: string; readonly body: string };

/**
 * Serves the contract, the pages made from it, and a page for each error code. All these pages are public, and are made
 * at the first request. The address of the service alone, and `/docs/`, lead a browser to them.
 */
export function serveDocs(app: NestFastifyApplication, urls: DocumentUrls): void {
  let made: ApiDocument | undefined;
  let json: string | undefined;
  const document = (): ApiDocument => (made ??= apiDocument(app, urls));
  const root = `${new URL(urls.publicUrl).pathname.replace(/\/$/, '')}/docs`;
  const site = new DocsSite(root, document, errorExamples(urls));
  const lead = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    void reply.header('vary', 'accept');
    // A program that asks for JSON has mistaken the path, and a redirect to a page would hide that.
    if (!prefersHtml(request.headers.accept)) throw refuse('unknown_route', { message: nothingHere(urls) });
    return reply.redirect(root);
  };
  for (const path of ['/', '/docs/']) app.getHttpAdapter().get(path, lead);
  const serve = (path: string, answer: (parameter: string) => Answer): void => {
    app.getHttpAdapter().get(path, (request: FastifyRequest, reply: FastifyReply) => {
      const [parameter = ''] = Object.values(request.params as Readonly<Record<string, string>>);
      const { status = 200, type, body } = answer(parameter);
      void reply.header('vary', 'accept');
      if (status === NOT_FOUND && !prefersHtml(request.headers.accept)) throw refuse('unknown_route');
      return reply.status(status).header('content-security-policy', PAGE_POLICY).type(type).send(body);
    });
  };
  serve('/openapi.json', () => ({
    type: 'application/json; charset=utf-8',
    body: (json ??= JSON.stringify(document())),
  }));
  serve('/docs', () => site.operations());
  serve('/docs/operations/:id', id => site.operation(id));
  serve('/docs/errors', () => site.errors());
  serve('/docs/errors/:code', code => site.error(code));
  serve('/docs/*', () => site.nothing());
  for (const [name, asset] of Object.entries(site.assets)) serve(`/docs/${name}`, () => asset);
}

function nothingHere({ docsUrl }: DocumentUrls): string {
  return `No resource has this path. The documentation is at ${docsUrl}.`;
}
