import type { CommandBus } from '@nestjs/cqrs';
import { FollowStepUp } from '../../src/modules/sessions/commands/session.command';
import type { Authentication } from '../../src/modules/sessions/session-authentication';
import { documentIdOf } from '../../src/modules/sessions/session-secret';
import type { SessionStage } from '../../src/modules/sessions/signed-in';
import type { SignedInFacts } from '../../src/modules/sessions/signed-in-session';
import type { ApiRequest } from '../../src/platform/http/caller';
import { Detour } from '../../src/platform/http/detour';
import { checkSite, type FormBody } from '../../src/platform/http/form-body';
import type { FormTokens } from '../../src/platform/http/form-tokens';
import type { PageAdmission, PageRule, Reader } from '../../src/platform/http/page-admission';
import { COOKIES } from '../../src/platform/http/session-cookie';
import type { Upload } from '../../src/platform/http/upload';
import { ERROR_CATALOGUE } from '../../src/vocabulary/error-catalogue';
import { isRefusal, refuse, type ErrorCode, type Refusal } from '../../src/vocabulary/errors';
import type { PageRealm } from '../parts/page-realm';
import { ownPath } from './next-path';
import type { PagePaths } from './page-paths';
import type { SignedInPerson } from './person';
import { pageOfStage } from './stage-pages';
import { keepVisit, visitOf } from './visits';

const UNAUTHENTICATED = 401;
const READ_METHODS = ['GET', 'HEAD'];

export type AdmissionParts = {
  readonly commands: CommandBus;
  readonly tokens: FormTokens;
  readonly paths: PagePaths;
  /** The path below which the service is reached; empty where that is the host itself. */
  readonly root: string;
};

/** Lets the people of one realm into its pages, by the session of their cookie. */
export abstract class SessionAdmission<
  Facts extends SignedInFacts = SignedInFacts,
  Person extends SignedInPerson = SignedInPerson,
> implements PageAdmission {
  protected constructor(
    private readonly realm: PageRealm,
    private readonly common: AdmissionParts,
  ) {}

  /** Throws the refusals of the session. */
  protected abstract authenticated(request: ApiRequest, secret: string, asking: Authentication): Promise<Facts>;
  /** Throws Refusal unknown_route for a path that names no place of the service. */
  protected abstract checkPlace(request: ApiRequest): void;
  protected abstract personOf(request: ApiRequest, signedIn: Facts): Person;
  protected abstract readerOf(request: ApiRequest, person: Person): Reader;
  protected abstract isPermitted(facts: Facts, rule: PageRule): boolean;
  /** Throws the refusal of an account that changes nothing any more. */
  protected abstract checkAccount(person: Person, rule: PageRule): void;

  async admit(request: ApiRequest, rule: PageRule): Promise<Reader> {
    this.checkPlace(request);
    if (!READ_METHODS.includes(request.method)) checkSite(request);
    const secret = COOKIES[this.realm.name].secretIn(request.headers.cookie);
    if (secret === null) throw this.away(request, null);
    const facts = await this.signedIn(request, secret, rule);
    if (!rule.stages.includes(facts.stage)) throw this.detourTo(facts.stage);
    const person = this.personOf(request, facts);
    const personNow = () => this.personNow(request, secret, rule);
    const isReplaced = facts.open.session.id !== documentIdOf(secret);
    keepVisit(request, { person, rule, secret, isReplaced, personNow });
    return this.readerOf(request, person);
  }

  permit(request: ApiRequest, rule: PageRule): void {
    if (rule.permission === null) return;
    const { person } = visitOf<Person & Facts>(request);
    if (!this.isPermitted(person, rule)) throw refuse('permission_denied');
    this.checkAccount(person, rule);
  }

  async checkToken(request: ApiRequest): Promise<void> {
    const body = request.body as FormBody | Upload;
    const { csrf = '', ...form } = isUpload(body) ? body.form : body;
    const visit = visitOf<Person>(request);
    const { person, secret } = visit;
    if (!(await this.common.tokens.isToken(csrf, person.sessionId)))
      throw refuse('permission_denied', { message: 'This form is of another session: load its page again.' });
    if (visit.isReplaced) {
      const follow = new FollowStepUp(person.open, { secret, formId: form.form_id ?? '' });
      const newest = await this.common.commands.execute(follow);
      if (newest === null) throw this.away(request, 'session_revoked');
      visit.secret = newest;
    }
    request.body = isUpload(body) ? { ...body, form } : form;
  }

  private async signedIn(request: ApiRequest, secret: string, { isForm, highRisk }: PageRule): Promise<Facts> {
    // The same form may have stepped up just now, and its answer be lost: the form's token and id show that later.
    const asking = isForm && highRisk !== null ? 'risky_form' : isLook(request) ? 'look' : 'use';
    try {
      return await this.authenticated(request, secret, asking);
    } catch (error) {
      throw isUnauthenticated(error) ? this.away(request, error.code) : error;
    }
  }

  /** Null for a person who has signed out, or has lost the role; nobody waits for an outage's end. */
  private async personNow(request: ApiRequest, secret: string, rule: PageRule): Promise<Person | null> {
    try {
      const facts = await this.authenticated(request, secret, 'look');
      const isAllowed =
        rule.stages.includes(facts.stage) && (rule.permission === null || this.isPermitted(facts, rule));
      return isAllowed ? this.personOf(request, facts) : null;
    } catch (error) {
      if (isUnauthenticated(error)) return null;
      throw error;
    }
  }

  private detourTo(stage: SessionStage): Error {
    return Detour.to(this.common.root + pageOfStage(this.realm, stage));
  }

  /** The way to sign in. A script, which can show no page, gets the refusal. */
  private away(request: ApiRequest, code: ErrorCode | null): Error {
    if (isScripted(request)) return refuse(code ?? 'unknown_session');
    if (code === null && isForeignLink(request)) return Detour.again();
    const { root } = this.common;
    const next = ownPath(this.realm, this.wanted(request));
    const query = new URLSearchParams({ ...(next !== null && { next }), ...(code !== null && { ended: code }) });
    return Detour.to(`${root}${this.realm.place}/sign-in${query.size > 0 ? `?${query}` : ''}`);
  }

  /** The address of a form is no page. */
  private wanted({ raw: { url = '' }, routeOptions, method }: ApiRequest): string {
    if (READ_METHODS.includes(method)) return url;
    return this.common.paths.pageOf(routeOptions.url ?? '', url.split('?', 1)[0] ?? '');
  }
}

function isUpload(body: FormBody | Upload): body is Upload {
  return typeof body.form === 'object';
}

function isUnauthenticated(error: unknown): error is Refusal {
  return isRefusal(error) && ERROR_CATALOGUE[error.code].status === UNAUTHENTICATED;
}

/** Whether an open page looks anew by itself, or a script asks. */
function isScripted({ headers }: ApiRequest): boolean {
  return headers['sec-fetch-dest'] === 'empty';
}

/** A page that looks anew is no activity of its reader; a script's form is. */
function isLook(request: ApiRequest): boolean {
  return READ_METHODS.includes(request.method) && isScripted(request);
}

/** A person has followed a link of another site, such as a mail's. */
export function isForeignLink({ headers, method }: ApiRequest): boolean {
  return (
    method === 'GET' &&
    headers['sec-fetch-site'] === 'cross-site' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}
