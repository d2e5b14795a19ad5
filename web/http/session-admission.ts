import type { CommandBus } from '@nestjs/cqrs';
import type { AccessReader } from '../../src/kernel/access-reader';
import { userActor } from '../../src/kernel/command-context';
import type { MerchantClocks } from '../../src/kernel/merchant-clocks';
import { pauseOf } from '../../src/modules/merchants/merchants.read-model';
import { readAccount } from '../../src/modules/merchants/read-account';
import {
  AuthenticateReplaced,
  AuthenticateSession,
  FollowStepUp,
} from '../../src/modules/sessions/commands/session.command';
import type { SignedIn } from '../../src/modules/sessions/signed-in';
import type { ApiRequest } from '../../src/platform/http/caller';
import { Detour } from '../../src/platform/http/detour';
import { checkSite, type FormBody } from '../../src/platform/http/form-body';
import type { PageAdmission, PageRule, Reader } from '../../src/platform/http/page-admission';
import type { Upload } from '../../src/platform/http/upload';
import { ERROR_CATALOGUE } from '../../src/vocabulary/error-catalogue';
import { isRefusal, refuse, type ErrorCode } from '../../src/vocabulary/errors';
import type { Mode } from '../../src/vocabulary/modes';
import { permits } from '../../src/vocabulary/roles';
import type { Modes } from '../parts/dashboard-context';
import type { FormTokens } from '../../src/platform/http/form-tokens';
import { ownPath } from './next-path';
import type { PagePaths } from './page-paths';
import { USER_COOKIE } from '../../src/platform/http/session-cookie';
import type { Person } from './person';
import { pageOfStage } from './stage-pages';
import { clientIp, clientOf } from '../../src/platform/http/client-ip';
import { keepVisit, visitOf } from './visits';

const UNAUTHENTICATED = 401;
const READ_METHODS = ['GET', 'HEAD'];
/** `isReplaced`: the session has got a new secret just now, and only the form that did so is taken. */
type Found = SignedIn & { readonly isReplaced: boolean };
type AdmissionParts = {
  readonly commands: CommandBus;
  readonly clock: MerchantClocks;
  readonly access: Pick<AccessReader, 'read'>;
  readonly modes: Modes;
  readonly tokens: FormTokens;
  readonly paths: PagePaths;
  /** The path below which the service is reached; empty where that is the host itself. */
  readonly root: string;
};

/** Lets people into the dashboard's pages by the session of their cookie. */
export class SessionAdmission implements PageAdmission {
  constructor(private readonly parts: AdmissionParts) {}

  async admit(request: ApiRequest, rule: PageRule): Promise<Reader> {
    const { mode: named } = request.params as { readonly mode?: Mode };
    const { modes, root } = this.parts;
    if (named !== undefined && !modes.includes(named)) throw refuse('unknown_route');
    if (!READ_METHODS.includes(request.method)) checkSite(request);
    const secret = USER_COOKIE.secretIn(request.headers.cookie);
    if (secret === null) throw this.away(request, null);
    const signedIn = await this.signedIn(request, secret, rule);
    if (!rule.stages.includes(signedIn.stage)) throw Detour.to(root + pageOfStage(signedIn.stage));
    const { isReplaced, ...known } = signedIn;
    const person = await this.personOf(request, known, named ?? (await this.firstMode(known)));
    const isAllowed = () => this.isAllowed(request, secret, rule);
    keepVisit(request, { person, rule, secret, isReplaced, isAllowed });
    return { keyId: person.userId, merchantId: person.merchantId, mode: named ?? 'platform' };
  }

  /** A closed account is read as before. Its people can still sign out, and change their own ways to sign in. */
  permit(request: ApiRequest, { permission, isForm }: PageRule): void {
    if (permission === null) return;
    const { role, account } = visitOf(request).person;
    if (!permits(role, permission)) throw refuse('permission_denied');
    if (isForm && account.isClosed) throw refuse('merchant_closed');
  }

  async checkToken(request: ApiRequest): Promise<void> {
    const body = request.body as FormBody | Upload;
    const { csrf = '', ...form } = isUpload(body) ? body.form : body;
    const { person, secret, isReplaced } = visitOf(request);
    if (!(await this.parts.tokens.isToken(csrf, person.sessionId)))
      throw refuse('permission_denied', { message: 'This form is of another session: load its page again.' });
    if (isReplaced && (await this.follow(request, secret, form.form_id ?? '')) === null)
      throw this.away(request, 'session_revoked');
    request.body = isUpload(body) ? { ...body, form } : form;
  }

  private async signedIn(request: ApiRequest, secret: string, { isForm, highRisk }: PageRule): Promise<Found> {
    const { commands } = this.parts;
    try {
      const session = new AuthenticateSession(secret, clientOf(request), isLook(request));
      const signedIn = await commands.execute(session).catch(async (error: unknown) => {
        // The same form may have stepped up just now, and its answer be lost: the form's token and id show that later.
        if (!isForm || highRisk === null || !isRefusal(error, 'session_revoked')) throw error;
        return { ...(await commands.execute(new AuthenticateReplaced(secret, clientOf(request)))), isReplaced: true };
      });
      return { isReplaced: false, ...signedIn };
    } catch (error) {
      if (!isRefusal(error) || ERROR_CATALOGUE[error.code].status !== UNAUTHENTICATED) throw error;
      throw this.away(request, error.code);
    }
  }

  private follow(request: ApiRequest, secret: string, formId: string): Promise<string | null> {
    return this.parts.commands.execute(new FollowStepUp(secret, formId, clientOf(request)));
  }

  /** False for a person who has signed out, or has lost the role; nobody waits for an outage's end. */
  private async isAllowed(request: ApiRequest, secret: string, { stages, permission }: PageRule): Promise<boolean> {
    try {
      const command = new AuthenticateSession(secret, clientOf(request), true);
      const { stage, role } = await this.parts.commands.execute(command);
      return stages.includes(stage) && (permission === null || permits(role, permission));
    } catch (error) {
      if (isRefusal(error) && ERROR_CATALOGUE[error.code].status === UNAUTHENTICATED) return false;
      throw error;
    }
  }

  /** Live mode, where the business is verified: until then nothing but test mode takes payments. */
  private async firstMode({ merchantId }: SignedIn): Promise<Mode> {
    const { access, clock, modes } = this.parts;
    const [first] = modes;
    if (first === 'test' || !modes.includes('test')) return first;
    return pauseOf(await readAccount(access, first, merchantId), first, clock.now()) === 'kyb' ? 'test' : first;
  }

  private async personOf(request: ApiRequest, signedIn: SignedIn, mode: Mode): Promise<Person> {
    const { merchantId, userId } = signedIn;
    const { clock, access } = this.parts;
    const { settings, ...account } = await readAccount(access, mode, merchantId);
    const nowMs = await clock.merchantNow(mode, merchantId);
    const facts = {
      merchantId,
      actor: userActor(userId),
      requestId: request.id,
      correlationId: request.id,
      causationId: null,
      ip: clientIp(request),
    } as const;
    return {
      ...signedIn,
      mode,
      nowMs,
      timeZone: settings.time_zone,
      account: { isClosed: account.merchant.status === 'closed', pause: pauseOf(account, mode, nowMs) },
      contextOf: command => ({ ...facts, ...command, universe: mode, now: nowMs }),
      accountContextOf: command => ({ ...facts, ...command, universe: 'platform', now: clock.now() }),
    };
  }

  /** The way to sign in. A script, which can show no page, gets the refusal. */
  private away(request: ApiRequest, code: ErrorCode | null): Error {
    if (isScripted(request)) return refuse(code ?? 'unknown_session');
    if (code === null && isForeignLink(request)) return Detour.again();
    const next = ownPath(this.wanted(request));
    const query = new URLSearchParams({ ...(next !== null && { next }), ...(code !== null && { ended: code }) });
    return Detour.to(`${this.parts.root}/dashboard/sign-in${query.size > 0 ? `?${query}` : ''}`);
  }

  /** The address of a form is no page. */
  private wanted({ raw: { url = '' }, routeOptions, method }: ApiRequest): string {
    if (READ_METHODS.includes(method)) return url;
    return this.parts.paths.pageOf(routeOptions.url ?? '', url.split('?', 1)[0] ?? '');
  }
}

function isUpload(body: FormBody | Upload): body is Upload {
  return typeof body.form === 'object';
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
