import { h } from 'preact';
import type { FastifyReply } from 'fastify';
import { ERROR_CATALOGUE } from '../../src/vocabulary/error-catalogue';
import type { ErrorCode } from '../../src/vocabulary/errors';
import type { ApiRequest } from '../../src/platform/http/caller';
import { Detour } from '../../src/platform/http/detour';
import type { FaultPages } from '../../src/platform/http/fault-pages';
import type { DocumentUrls } from '../../src/platform/http/openapi';
import { CUSTOMER_PATHS } from '../../src/platform/http/page-hosts';
import type { Mode } from '../../src/vocabulary/modes';
import { LogGuidePage } from '../dashboard/log-guide.page';
import { docsSite } from '../docs/docs-pages';
import { NotFoundPage } from '../docs/not-found.page';
import type { BuiltPages } from '../http/built-pages';
import { EnglishPages } from '../http/english-pages';
import { CUSTOMERS_FAULTS, DEVELOPERS, PageSender } from '../http/page-sender';
import { isForeignLink } from '../http/session-admission';
import { USER_COOKIE } from '../../src/platform/http/session-cookie';
import { ConsoleFaultPage } from './console-fault.page';
import { CustomerFaultPage } from './customer-fault.page';
import { DashboardFaultPage } from './dashboard-fault.page';
import { FaultPage } from './fault.page';

const DOCS = /^\/docs(?:[/?]|$)/;
/** A page of the dashboard, with its mode where the path names one. */
const DASHBOARD = /^\/dashboard(?:\/(test|live)(?=[/?]|$))?(?:[/?]|$)/;

/** No page is at an address that ends with a slash: its last part, an id or a mode, is empty. */
const NOT_THERE: readonly number[] = [400, 404];
/** An address that somebody typed with slashes at its end, its path and its query. */
const TRAILING_SLASH = /^([^?]*[^?/])\/+(\?.*)?$/;
const CONSOLE = /^\/console(?:[/?]|$)/;

/** The paths below which the pages are reached; empty where that is a host itself. */
type PageRoots = { readonly checkout: string; readonly dashboard: string; readonly console: string };

/** Tells people of refusals: customers in their language, developers with the way to the documentation. */
export class PageFaults implements FaultPages {
  private readonly forCustomers: PageSender;
  private readonly forDevelopers: EnglishPages;
  private readonly forMerchants: PageSender;
  private readonly forAdministrators: PageSender;

  constructor(
    private readonly built: BuiltPages,
    private readonly urls: DocumentUrls,
    roots: PageRoots,
  ) {
    this.forCustomers = new PageSender(built, roots.checkout, CUSTOMERS_FAULTS);
    this.forDevelopers = new EnglishPages(built, urls);
    this.forMerchants = new PageSender(built, roots.dashboard, DEVELOPERS);
    this.forAdministrators = new PageSender(built, roots.console, DEVELOPERS);
  }

  async sendFault(code: ErrorCode, request: ApiRequest, reply: FastifyReply): Promise<void> {
    const target = request.raw.url ?? '/';
    const { status } = ERROR_CATALOGUE[code];
    if (CUSTOMER_PATHS.test(target)) {
      const facts = this.forCustomers.factsFor(request, target);
      return this.forCustomers.send(request, reply, facts, h(CustomerFaultPage, { code }), status);
    }
    const merchants = DASHBOARD.exec(target);
    if (merchants && !isOfKeys(request)) {
      const [, path, query = ''] = TRAILING_SLASH.exec(target) ?? [];
      if (NOT_THERE.includes(status) && request.method === 'GET' && path !== undefined) {
        Detour.to(this.forMerchants.root + path + query).send(reply);
        return;
      }
      const mode = (merchants[1] ?? null) as Mode | null;
      const facts = this.forMerchants.factsFor(request, target);
      return this.forMerchants.send(request, reply, facts, h(DashboardFaultPage, { code, mode }), status);
    }
    if (CONSOLE.test(target)) {
      const facts = this.forAdministrators.factsFor(request, target);
      return this.forAdministrators.send(request, reply, facts, h(ConsoleFaultPage, { code }), status);
    }
    const isMissing = code === 'unknown_route' && DOCS.test(target);
    const page = isMissing
      ? h(NotFoundPage, { site: docsSite(this.built, this.urls) })
      : h(FaultPage, { code, docsUrl: this.urls.docsUrl });
    return this.forDevelopers.send(request, reply, page, status);
  }

  async sendLogGuide(request: ApiRequest, reply: FastifyReply): Promise<void> {
    if (isForeignLink(request)) {
      Detour.again().send(reply);
      return;
    }
    const { docsUrl, dashboardUrl } = this.urls;
    const { id: asked = '' } = request.params as { readonly id?: string };
    if (USER_COOKIE.secretIn(request.headers.cookie) !== null) {
      // The text is any that a stranger sends: a header takes few characters, and some would lead to another page.
      Detour.to(`${this.forMerchants.root}/dashboard/requests/${encodeURIComponent(asked)}/open`).send(reply);
      return;
    }
    const page = h(LogGuidePage, { docsUrl, requestsUrl: `${dashboardUrl}/requests`, asked });
    await this.forDevelopers.send(request, reply, page);
  }
}

/** The log of a request is the one page of the dashboard that a key opens. */
function isOfKeys({ headers }: ApiRequest): boolean {
  return headers.authorization !== undefined;
}
