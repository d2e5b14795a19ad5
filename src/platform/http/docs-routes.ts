import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../vocabulary/errors';
import type { ApiDocument } from '../docs/api-document';
import { DocsSite } from '../docs/docs-site';
import { apiDocument, type DocumentUrls } from './openapi';
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
 * at the first request.
 */
export function serveDocs(app: NestFastifyApplication, urls: DocumentUrls): void {
  let made: ApiDocument | undefined;
  let json: string | undefined;
  const document = (): ApiDocument => (made ??= apiDocument(app, urls));
  const site = new DocsSite(`${new URL(urls.publicUrl).pathname.replace(/\/$/, '')}/docs`, document);
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
  for (const [name, asset] of Object.entries(site.assets)) serve(`/docs/${name}`, () => asset);
}
