import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModulesContainer } from '@nestjs/core';
import { refuse } from '../../vocabulary/errors';
import { apiDocument, type DocumentUrls } from './openapi';
import { prefersHtml } from './preferred-type';

/** The path under which a browser finds the service: empty, or that which a proxy takes away. */
export function basePathOf({ publicUrl }: Pick<DocumentUrls, 'publicUrl'>): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}

/**
 * Serves the contract, which is public and is made at the first request. The address of the service alone, and
 * `/docs/`, lead a browser to the documentation's pages.
 */
export function serveDocs(app: NestFastifyApplication, urls: DocumentUrls): void {
  // Bytes, which all answers share: a text would be copied for each client that is slow to take it.
  let json: Buffer | undefined;
  const lead = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    void reply.header('vary', 'accept');
    // A program that asks for JSON has mistaken the path, and a redirect to a page would hide that.
    if (!prefersHtml(request.headers.accept)) throw refuse('unknown_route', { message: nothingHere(urls) });
    return reply.redirect(`${basePathOf(urls)}/docs`);
  };
  for (const path of ['/', '/docs/']) app.getHttpAdapter().get(path, lead);
  app.getHttpAdapter().get('/openapi.json', (_: FastifyRequest, reply: FastifyReply) => {
    json ??= Buffer.from(JSON.stringify(apiDocument(app.get(ModulesContainer), urls)));
    return reply.type('application/json; charset=utf-8').send(json);
  });
}

function nothingHere({ docsUrl }: DocumentUrls): string {
  return `No resource has this path. The documentation is at ${docsUrl}.`;
}
