import { h, type ComponentChild } from 'preact';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageContext, type PageFacts } from '../parts/page-context';
import { renderedText } from '../parts/page-scopes';
import type { BuiltPages } from './built-pages';
import { encodingFor } from './encoding';

const HTML_TYPE = 'text/html; charset=utf-8';
/** Of a page of 20 kB this takes about a millisecond. */
const BROTLI_QUALITY = 5;
const compressors = {
  br: (text: string) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (text: string) => promisify(gzip)(text),
} as const;

/** Nothing stands inline, so one policy serves all pages. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types same-page";

const FIXED_HEADERS = {
  // A form under `no-referrer` names no origin.
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
} as const;

const ENFORCED = { ...FIXED_HEADERS, 'content-security-policy': `${PAGE_POLICY}; ${TRUSTED_TYPES}` } as const;
const REPORTED = {
  ...FIXED_HEADERS,
  'content-security-policy': PAGE_POLICY,
  'content-security-policy-report-only': TRUSTED_TYPES,
} as const;

/** The headers of pages by what becomes of text that a script would turn into markup or into script. */
export const PAGE_HEADERS = { enforced: ENFORCED, reported: REPORTED } as const;

/** Pages of one kind. */
type Surface = {
  readonly trustedTypes: keyof typeof PAGE_HEADERS;
  /** A surface in English alone offers no other language. */
  readonly isEnglish: boolean;
};

/** Wallets run inside of checkout's pages, and their scripts are not ours. */
export const CHECKOUT: Surface = { trustedTypes: 'reported', isEnglish: false };
/** A customer's page on which no wallet has work. */
export const CUSTOMERS_FAULTS: Surface = { trustedTypes: 'enforced', isEnglish: false };
export const DEVELOPERS: Surface = { trustedTypes: 'enforced', isEnglish: true };

/** Renders pages and sends them. */
export class PageSender {
  constructor(
    private readonly built: BuiltPages,
    /** The path below which the service is reached; empty where that is the host itself. */
    readonly root: string,
    private readonly surface: Surface,
  ) {}

  /** The facts of this request that every part of a page may need. `path` is the page's own. */
  factsFor(request: FastifyRequest, path: string): PageFacts {
    const { lang } = request.query as { readonly lang?: string };
    const { languages } = this.built;
    const { isEnglish } = this.surface;
    const language = isEnglish ? languages.english : languages.chosen(lang, request.headers['accept-language']);
    return {
      language,
      languages: isEnglish ? [language] : languages.all,
      assetPath: name => `${this.root}/assets/${this.built.assetName(name)}`,
      iconShape: name => this.built.iconShape(name),
      root: this.root,
      path,
      namedLanguage: lang === language.code ? lang : null,
    };
  }

  /** Names this build: an open page fetches itself again where it changes. */
  get buildId(): string {
    return this.built.buildId;
  }

  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    facts: PageFacts,
    page: ComponentChild,
    status: number = 200,
    holdsSecret: boolean = false,
  ): Promise<void> {
    const text = pageText(facts, page);
    // The length of a compressed page tells of its texts.
    const encoding = holdsSecret ? 'identity' : encodingFor(request.headers['accept-encoding']);
    const body = encoding === 'identity' ? text : await compressors[encoding](text);
    const { trustedTypes, isEnglish } = this.surface;
    void reply.status(status).headers(PAGE_HEADERS[trustedTypes]).type(HTML_TYPE);
    void reply.header('vary', isEnglish ? 'accept, accept-encoding' : 'accept, accept-language, accept-encoding');
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    void reply.send(body);
  }
}

export function pageText(facts: PageFacts, page: ComponentChild): string {
  return `<!doctype html>${renderedText(h(PageContext.Provider, { value: facts, children: page }))}`;
}
