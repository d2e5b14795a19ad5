import { h } from 'preact';
import type { FastifyReply } from 'fastify';
import type { ModulesContainer } from '@nestjs/core';
import { ERROR_CATALOGUE } from '../../src/vocabulary/error-catalogue';
import { refuse, type ErrorCode } from '../../src/vocabulary/errors';
import { operationsOf, type ApiDocument } from '../../src/platform/docs/api-document';
import type { ApiRequest } from '../../src/platform/http/caller';
import { basePathOf } from '../../src/platform/http/docs-routes';
import { apiDocument, type DocumentUrls } from '../../src/platform/http/openapi';
import { errorExamples } from '../../src/platform/http/openapi-errors';
import type { BuiltPages } from '../http/built-pages';
import type { EnglishPages } from '../http/english-pages';
import { ErrorPage } from './error.page';
import { ErrorsPage } from './errors.page';
import { GuidePage } from './guide.page';
import { OperationPage } from './operation.page';
import { OperationsPage } from './operations.page';
import { readGuide } from './read-guide';
import type { DocsSite } from './screens/docs-page';
import type { Guide } from './screens/guide-blocks';

/** The guides by their names in an address, with their links in the navigation. */
const GUIDES = [
  { name: 'quick-start', text: 'Quick start' },
  { name: 'dashboard', text: 'Dashboard' },
  { name: 'webhooks', text: 'Webhooks' },
] as const;

type Asked = { readonly request: ApiRequest; readonly reply: FastifyReply };

/** The documentation's addresses, with those guides that the build has found. */
export function docsSite(built: BuiltPages, urls: DocumentUrls): DocsSite {
  const base = basePathOf(urls);
  const guides = GUIDES.filter(({ name }) => built.guides.has(name));
  return { root: `${base}/docs`, contract: `${base}/openapi.json`, guides };
}

/** The documentation's pages, made from the contract, the catalogue of errors, and the guides. */
export class DocsPages {
  private readonly site: DocsSite;
  private readonly guides = new Map<string, Guide>();
  private made: ApiDocument | undefined;

  constructor(
    private readonly built: BuiltPages,
    private readonly pages: EnglishPages,
    private readonly modules: ModulesContainer,
  ) {
    this.site = docsSite(built, pages.urls);
  }

  async sendOperations({ request, reply }: Asked): Promise<void> {
    await this.pages.send(request, reply, h(OperationsPage, { site: this.site, document: this.document }));
  }

  /** Throws Refusal unknown_route for an operation that there is not. */
  async sendOperation({ request, reply }: Asked, operationId: string): Promise<void> {
    const { site, document } = this;
    const located = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
    if (!located) throw refuse('unknown_route');
    await this.pages.send(request, reply, h(OperationPage, { site, document, located }));
  }

  async sendErrors({ request, reply }: Asked): Promise<void> {
    await this.pages.send(request, reply, h(ErrorsPage, { site: this.site }));
  }

  /** Throws Refusal unknown_route for a code that there is not. */
  async sendError({ request, reply }: Asked, code: string): Promise<void> {
    if (!isErrorCode(code)) throw refuse('unknown_route');
    const example = errorExamples(this.pages.urls, new Set([code]))[code]?.value;
    await this.pages.send(request, reply, h(ErrorPage, { site: this.site, code, example }));
  }

  /** Throws Refusal unknown_route for a guide that the build has not found. */
  async sendGuide({ request, reply }: Asked, name: (typeof GUIDES)[number]['name']): Promise<void> {
    const { site } = this;
    const place = site.guides.find(guide => guide.name === name)?.text;
    const guide = this.guides.get(name) ?? readGuide(this.built.guides.get(name) ?? '');
    if (place === undefined) throw refuse('unknown_route');
    this.guides.set(name, guide);
    await this.pages.send(request, reply, h(GuidePage, { site, guide, place }));
  }

  /** Made at the first request. */
  private get document(): ApiDocument {
    return (this.made ??= apiDocument(this.modules, this.pages.urls));
  }
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, text);
}
