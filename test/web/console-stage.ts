import { CommandBus } from '@nestjs/cqrs';
import { generateSync } from 'otplib';
import { operatorContext } from '../../src/cli/operator-context';
import { adminIdOfEmail } from '../../src/modules/admins/admin-people';
import { InviteAdmin } from '../../src/modules/admins/commands/manage-admins.command';
import { OutboxReader } from '../../src/modules/outbox/queries/outbox-reader';
import { ensureGroups } from '../../src/processes/groups';
import type { AdminRole } from '../../src/vocabulary/admin-roles';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { Reply } from '../support/http-caller';
import { freePort } from './dashboard-stage';
import { FormBrowser } from './form-browser';

const PASSWORD = 'plum harbour 47 lanterns';
const TOKEN = /\?token=([\w-]+)/;
const SECRET = /<code>([A-Z2-7 ]+)<\/code>/;
const STEP_MS = 30_000;

/** The secret of an authenticator that a page offers. */
function secretIn({ body }: Reply): string {
  return (SECRET.exec(body)?.[1] ?? '').replaceAll(' ', '');
}

/** A browser of one administrator. */
export class AdminBrowser extends FormBrowser {
  private totpSecret = '';

  constructor(
    private readonly stage: ApiStage,
    instance: ApiInstance,
    readonly email: string,
    host: string | null = null,
  ) {
    super(instance, '__Host-qt_admin', host);
  }

  get id(): string {
    return adminIdOfEmail(this.email);
  }

  /** The first step: the password. */
  startSignIn(next = ''): Promise<Reply> {
    const { email } = this;
    return this.sendForm('/console/sign-in', '/console/sign-in', { email, password: PASSWORD, next });
  }

  /** Takes the invitation. */
  join(token: string, name: string): Promise<Reply> {
    return this.sendForm('/console/invitation', '/console/invitation', { token, name, password: PASSWORD });
  }

  /** Enrols the authenticator of somebody who has signed in by the password alone. */
  async enrol(): Promise<{ readonly offer: Reply; readonly answer: Reply }> {
    const offer = await this.sendForm('/console/enrol', '/console/enrol/offer');
    this.totpSecret = secretIn(offer);
    return { offer, answer: await this.sendForm('/console/enrol', '/console/enrol', { code: this.code() }) };
  }

  /** Enrols another authenticator in place of the present one. */
  async replaceAuthenticator(): Promise<Reply> {
    const page = '/console/security';
    const offer = await this.sendForm(page, `${page}/authenticator`, { code: this.code() });
    this.totpSecret = secretIn(offer);
    return this.sendForm(page, `${page}/authenticator/first-code`, { code: this.code() });
  }

  async signIn(next = ''): Promise<Reply> {
    await this.startSignIn(next);
    return this.sendForm('/console/code', '/console/code', { code: this.code(), next });
  }

  /** Another browser of the same administrator, not signed in. */
  another(): AdminBrowser {
    const other = new AdminBrowser(this.stage, this.instance, this.email, this.host);
    other.totpSecret = this.totpSecret;
    return other;
  }

  /** A code that was not shown before: each step of time has one. */
  code(): string {
    this.stage.clock.aheadMs += STEP_MS;
    return generateSync({ secret: this.totpSecret, epoch: Math.floor(this.stage.clock.now() / 1_000) });
  }
}

/** A service with administrators, who are signed in. */
export class ConsoleStage {
  private readonly people = new Map<string, AdminBrowser>();

  private constructor(
    readonly stage: ApiStage,
    readonly instance: ApiInstance,
    private readonly host: string | null,
  ) {}

  static async open(
    options: Parameters<ApiStage['startInstance']>[0] = {},
    variables: Readonly<Record<string, string>> = {},
    host: string | null = null,
  ): Promise<ConsoleStage> {
    const port = await freePort();
    const stage = await ApiStage.open({ PUBLIC_URL: `http://localhost:${port}`, ...variables });
    await ensureGroups(stage.core.store);
    return new ConsoleStage(stage, await stage.startInstance({ ...options, port }), host);
  }

  /** The path of a mailed invitation. */
  async invitationOf(email: string, role: AdminRole = 'viewer'): Promise<string> {
    const context = operatorContext({ ...this.stage.core, user: 'alice' });
    await this.instance.app.get(CommandBus).execute(new InviteAdmin(email, role, context));
    const mail = await (await OutboxReader.open(this.stage.core.documents)).newestLinkTo(email);
    return `/console/invitation?token=${TOKEN.exec(mail?.text ?? '')?.[1]}`;
  }

  /** An administrator of the role, who is signed in: the same one for the same name. */
  async admin(role: AdminRole, name: string = role): Promise<AdminBrowser> {
    const known = this.people.get(name);
    if (known) return known;
    const browser = await this.invited(role, name);
    await browser.startSignIn();
    await browser.enrol();
    this.people.set(name, browser);
    return browser;
  }

  /** An administrator of the role, who has taken the invitation and has not signed in yet. */
  async invited(role: AdminRole, name: string): Promise<AdminBrowser> {
    const email = `${name}@operator.example`;
    const browser = new AdminBrowser(this.stage, this.instance, email, this.host);
    await browser.join(TOKEN.exec(await this.invitationOf(email, role))?.[1] ?? '', `${name} Lind`);
    return browser;
  }

  /** The address of a page for a real browser. */
  url(path: string): string {
    return `http://localhost:${this.instance.port}${path}`;
  }

  /** The cookie of a session, as a real browser takes it. */
  cookie(secret: string) {
    const attributes = { httpOnly: true, secure: true, sameSite: 'Strict' } as const;
    return { name: '__Host-qt_admin', value: secret, url: 'https://localhost/', ...attributes };
  }

  close(): Promise<void> {
    return this.stage.close();
  }
}
