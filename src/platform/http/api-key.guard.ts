import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { AuthenticatedKey } from '../../vocabulary/authenticated-key';
import type { Clock } from '../../kernel/clock';
import { randomUuid, type Entropy } from '../../kernel/entropy';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { ERROR_CATALOGUE } from '../../vocabulary/error-catalogue';
import type { Mode } from '../../vocabulary/modes';
import { invariant } from '../../kernel/invariant';
import { fullyDecoded } from '../logging/full-decoding';
import type { Permission } from '../../vocabulary/roles';
import { grants, type Scope } from '../../vocabulary/scopes';
import { ADMIN_RULE, type AdminAdmission, type AdminRule } from './admin-admission';
import { requestedVersion } from './api-version';
import type { KeyAuthentication } from './authentication';
import { ASKS_METHODS, REQUIRED_PERMISSION, REQUIRED_SCOPE, TEST_KEYS_ONLY, type ApiRequest } from './caller';
import { clientIp } from './client-ip';
import { FORM_FIELDS, FORM_OF_MANY } from './form-body';
import { PAGE_RULE, type PageAdmission, type PageRule, type Reader } from './page-admission';
import { UNMETERED, type RequestRates } from './rate-limit';
import type { sandboxHost } from './sandbox-host';
import { UPLOAD_TERMS } from './upload';

const BEARER = /^Bearer ([0-9A-Za-z_]{1,200})$/;
const LOOKS_LIKE_KEY = /(?:^|[^0-9A-Za-z])(?:sk|pk|rk)_(?:test|live)_[0-9A-Za-z]+/;
const FORMS = [FORM_FIELDS, UPLOAD_TERMS];
const READ_METHODS = ['GET', 'HEAD'];
const UNAUTHENTICATED = 401;

/**
 * Checks authentication, then the key's kind, its scope, its rate limit, its account and its version. The result is
 * the request's caller.
 */
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyAuthentication,
    private readonly modes: readonly Mode[],
    private readonly clock: Clock,
    private readonly entropy: Entropy,
    private readonly rates: RequestRates,
    private readonly isSandbox: ReturnType<typeof sandboxHost>,
    /** Null where no page asks who reads it. */
    private readonly admission: PageAdmission | null,
    /** Null where no administrators are served. */
    private readonly adminAdmission: AdminAdmission | null,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const rule = this.reflector.get<PageRule | undefined>(PAGE_RULE, context.getHandler());
    if (rule) {
      await this.admit(request, rule);
      return true;
    }
    const targets = [context.getHandler(), context.getClass()];
    const adminRule = this.reflector.getAllAndOverride<AdminRule | undefined>(ADMIN_RULE, targets);
    if (adminRule) {
      await this.admitAdmin(request, adminRule);
      return true;
    }
    const scope = this.reflector.getAllAndOverride<Scope | null | undefined>(REQUIRED_SCOPE, targets);
    if (scope === undefined) {
      invariant(!isGuardedPath(request.routeOptions.url), `${request.routeOptions.url} declares no rule`);
      if (!this.reflector.getAllAndOverride<boolean | undefined>(UNMETERED, targets)) this.rates.chargeAddress(request);
      const handler = context.getHandler();
      if (FORMS.some(form => this.reflector.get<unknown>(form, handler) !== undefined))
        this.rates.chargeForm(request, this.reflector.get<true | undefined>(FORM_OF_MANY, handler) ?? false);
      return true;
    }
    const asksMethods = this.reflector.get<true | undefined>(ASKS_METHODS, context.getHandler()) ?? false;
    const key = await this.authenticated(request, asksMethods);
    request.account = { merchantId: key.merchantId, mode: key.mode, keyId: key.keyId };
    checkKind(key, request.method);
    if (scope !== null && !grants(key.scopes, scope)) throw refuse('insufficient_scope');
    checkPermission(key, this.reflector.get<Permission | undefined>(REQUIRED_PERMISSION, context.getHandler()));
    this.rates.chargeKey(request, key);
    if (key.isClosed && !READ_METHODS.includes(request.method)) throw refuse('merchant_closed');
    const receivedAt = this.clock.now();
    request.caller = {
      merchantId: key.merchantId,
      mode: key.mode,
      keyId: key.keyId,
      keyEndsAt: key.expiresAt,
      scopes: key.scopes,
      withheld: key.withheld,
      requestId: request.id,
      ip: clientIp(request),
      apiVersion: requestedVersion(request.raw, key.settings.api_version),
      settings: key.settings,
      limits: key.limits,
      methodTerms: key.methodTerms,
      isPaused: key.isPaused,
      commandId: randomUuid(this.entropy),
      isFirstTry: true,
      startedAt: receivedAt,
      receivedAt,
      clock: key.clock,
      now: key.nowMs,
    };
    if (key.mode !== 'test' && this.reflector.getAllAndOverride<true | undefined>(TEST_KEYS_ONLY, targets))
      throw refuse('invalid_api_key', { message: 'This is for test mode: use a test key.' });
    return true;
  }

  /** A person is charged and not the address, which many people of one office share. */
  private async admit(request: ApiRequest, rule: PageRule): Promise<void> {
    invariant(this.admission, `${request.routeOptions.url} is for people, and nobody admits them`);
    let reader: Reader;
    try {
      reader = await this.admission.admit(request, rule);
    } catch (error) {
      this.rates.chargeAddress(request);
      throw error;
    }
    request.readerMerchantId = reader.merchantId;
    this.rates.chargeReader(request, reader);
    this.admission.permit(request, rule);
  }

  /** An administrator is charged like a key. A stranger who begins to sign in is charged by address. */
  private async admitAdmin(request: ApiRequest, rule: AdminRule): Promise<void> {
    invariant(this.adminAdmission, `${request.routeOptions.url} is for administrators, and nobody admits them`);
    if (rule.stages.length === 0) {
      this.rates.chargeAddress(request);
      this.adminAdmission.admitStranger(request);
      return;
    }
    try {
      request.admin = await this.adminAdmission.admit(request, rule);
    } catch (error) {
      this.rates.chargeAddress(request);
      throw error;
    }
    const { id } = request.admin.admin;
    this.rates.chargeReader(request, { keyId: id, merchantId: id, mode: 'platform' });
  }

  /**
   * Only failures are charged to the client's address. So guessing keys is slow, and neighbours never slow down the
   * holder of a key.
   */
  private async authenticated(request: ApiRequest, asksMethods: boolean): Promise<AuthenticatedKey> {
    try {
      const key = await this.keys.authenticate(keyText(request), asksMethods);
      if (!this.modes.includes(key.mode)) throw refuse('invalid_api_key');
      if (key.mode !== 'test' && this.isSandbox(request.raw.headers.host))
        throw refuse('invalid_api_key', { message: 'This address is the sandbox, which takes test keys only.' });
      return key;
    } catch (error) {
      if (isRefusal(error) && ERROR_CATALOGUE[error.code].status === UNAUTHENTICATED) this.rates.chargeAddress(request);
      throw error;
    }
  }
}

function checkPermission({ withheld }: AuthenticatedKey, permission: Permission | undefined): void {
  if (permission === undefined || !withheld.includes(permission)) return;
  const message = 'The person who made this key has no such permission, so the key has none either.';
  throw refuse('permission_denied', { message });
}

function isGuardedPath(pattern: string | undefined): boolean {
  return pattern === undefined || /^\/(?:v1|admin)\//.test(pattern);
}

/** A query ends in logs and histories, so a key there is refused even beside a good header. */
function keyText(request: ApiRequest): string {
  const query = request.query as Readonly<Record<string, unknown>>;
  if (Object.entries(query).some(entry => entry.some(part => LOOKS_LIKE_KEY.test(fullyDecoded(String(part))))))
    throw refuse('invalid_authorization_header', { message: 'Keys are not accepted in the query string.' });
  const values = request.raw.headersDistinct.authorization ?? [];
  if (values.length === 0) throw refuse('authentication_required');
  const match = values.length === 1 ? BEARER.exec(values[0] as string) : null;
  if (!match)
    throw refuse('invalid_authorization_header', { message: 'The header must be `Authorization: Bearer <key>`.' });
  return match[1] as string;
}

function checkKind(key: AuthenticatedKey, method: string): void {
  if (key.kind !== 'pk') return;
  throw refuse(READ_METHODS.includes(method) ? 'publishable_key_not_permitted' : 'publishable_scope_forbidden');
}
