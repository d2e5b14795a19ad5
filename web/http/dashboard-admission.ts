import { userActor } from '../../src/kernel/command-context';
import type { Clock } from '../../src/kernel/clock';
import { pauseOf } from '../../src/modules/merchants/merchants.read-model';
import { AuthenticateSession } from '../../src/modules/sessions/commands/session.command';
import type { Authentication } from '../../src/modules/sessions/session-authentication';
import type { SignedIn } from '../../src/modules/sessions/signed-in-session';
import type { ApiRequest } from '../../src/platform/http/caller';
import { clientIp, clientOf } from '../../src/platform/http/client-ip';
import type { PageRule, Reader } from '../../src/platform/http/page-admission';
import { refuse } from '../../src/vocabulary/errors';
import type { Mode } from '../../src/vocabulary/modes';
import { permits } from '../../src/vocabulary/roles';
import type { Modes } from '../parts/dashboard-context';
import { MERCHANT_PAGES } from '../parts/page-realm';
import type { Person } from './person';
import { SessionAdmission, type AdmissionParts } from './session-admission';

type DashboardAdmissionParts = AdmissionParts & {
  readonly clock: Pick<Clock, 'now'>;
  readonly modes: Modes;
};

/** Lets merchants' people into the dashboard's pages. */
export class DashboardAdmission extends SessionAdmission<SignedIn, Person> {
  constructor(private readonly parts: DashboardAdmissionParts) {
    super(MERCHANT_PAGES, parts);
  }

  protected override authenticated(request: ApiRequest, secret: string, asking: Authentication): Promise<SignedIn> {
    return this.parts.commands.execute(new AuthenticateSession(secret, clientOf(request), asking));
  }

  protected override checkPlace(request: ApiRequest): void {
    const mode = modeOf(request);
    if (mode !== undefined && !this.parts.modes.includes(mode)) throw refuse('unknown_route');
  }

  protected override personOf(request: ApiRequest, signedIn: SignedIn): Person {
    const { merchantId, userId, accounts } = signedIn;
    const { clock } = this.parts;
    const mode = modeOf(request) ?? this.firstMode(signedIn);
    const account = accounts[mode];
    const nowMs = clock.now() + account.clock.aheadMs;
    const context = {
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
      timeZone: account.settings.time_zone,
      account: { isClosed: account.merchant.status === 'closed', pause: pauseOf(account, mode, nowMs) },
      facts: account,
      contextOf: command => ({ ...context, ...command, universe: mode, clock: account.clock, now: nowMs }),
      accountContextOf: command => ({ ...context, ...command, universe: 'platform', now: clock.now() }),
    };
  }

  protected override readerOf(request: ApiRequest, { userId, merchantId }: Person): Reader {
    return { keyId: userId, merchantId, mode: modeOf(request) ?? 'platform' };
  }

  protected override isPermitted({ role }: SignedIn, { realm, permission }: PageRule): boolean {
    return realm === 'merchant' && permission !== null && permits(role, permission);
  }

  /** A closed account is read as before. Its people can still sign out, and change their own ways to sign in. */
  protected override checkAccount({ account }: Person, { isForm }: PageRule): void {
    if (isForm && account.isClosed) throw refuse('merchant_closed');
  }

  /** Live mode, where the business is verified: until then nothing but test mode takes payments. */
  private firstMode({ accounts }: SignedIn): Mode {
    const { clock, modes } = this.parts;
    const [first] = modes;
    if (first === 'test' || !modes.includes('test')) return first;
    return pauseOf(accounts[first], first, clock.now()) === 'kyb' ? 'test' : first;
  }
}

function modeOf({ params }: ApiRequest): Mode | undefined {
  return (params as { readonly mode?: Mode }).mode;
}
