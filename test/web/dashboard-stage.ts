import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { CommandBus } from '@nestjs/cqrs';
import { generateSync } from 'otplib';
import { operatorContext } from '../../src/cli/operator-context';
import { OutboxReader } from '../../src/modules/outbox/outbox-reader';
import { InviteUser } from '../../src/modules/users/commands/manage-users.command';
import type { UserRole } from '../../src/vocabulary/roles';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { Reply } from '../support/http-caller';
import type { StagedMerchant } from '../support/staged-merchant';

const FORM = 'application/x-www-form-urlencoded';
const PASSWORD = 'plum harbour 47 lanterns';
const TOKEN = /\?token=([\w-]+)/;
const STEP_MS = 30_000;
const SECRET = /<code>([A-Z2-7 ]+)<\/code>/;
const COOKIE = /__Host-qt_session=([^;]*)/;

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly formId?: string; readonly csrf?: string };

/** A browser of one person: its cookie, and the headers that browsers send. */
export class PersonBrowser {
  /** The session's cookie; empty before signing in. */
  secret = '';
  private ownSecret = '';

  constructor(
    readonly instance: ApiInstance,
    readonly merchant: StagedMerchant,
    readonly email: string,
    /** The host that requests name; by default the address that they are sent to. */
    private readonly host: string | null = null,
  ) {}

  /** The owner of a new merchant, signed in. */
  static async ofNewMerchant(stage: ApiStage, instance: ApiInstance, name: string): Promise<PersonBrowser> {
    const email = `${name}@shop.example`;
    const merchant = await stage.register(instance, { isChecked: false, email });
    const browser = new PersonBrowser(instance, merchant, email);
    await browser.signIn();
    return browser;
  }

  open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send({ method: 'GET', path, headers: { 'sec-fetch-site': 'same-origin', ...headers } });
  }

  /** Sends a form of the page, whose id and token it takes from there. */
  async sendForm(page: string, path: string, fields: object = {}, sent: Sent = {}): Promise<Reply> {
    const needs = sent.formId === undefined || sent.csrf === undefined;
    const { body } = needs ? await this.open(page) : { body: '' };
    const [formId, csrf] = [sent.formId ?? hiddenIn(body, 'form_id'), sent.csrf ?? hiddenIn(body, 'csrf')];
    const hidden = { ...(csrf !== '' && { csrf }), ...(formId !== '' && { form_id: formId }) };
    return this.send({
      method: 'POST',
      path,
      headers: { 'content-type': FORM, 'sec-fetch-site': 'same-origin', ...sent.headers },
      body: new URLSearchParams({ ...hidden, ...fields }).toString(),
    });
  }

  /** Sends a body as it is, such as one with a file. */
  sendRaw(path: string, call: Pick<Parameters<ApiInstance['caller']['send']>[0], 'headers' | 'body'>): Promise<Reply> {
    return this.send({ method: 'POST', path, ...call });
  }

  /** Another browser of the same person, not signed in. */
  another(): PersonBrowser {
    return new PersonBrowser(this.instance, this.merchant, this.email);
  }

  /** The first step: the password. */
  startSignIn(next = ''): Promise<Reply> {
    const { email } = this;
    return this.sendForm('/dashboard/sign-in', '/dashboard/sign-in', { email, password: PASSWORD, next });
  }

  /** Enrols the authenticator of a person who has signed in by the password alone. */
  async enrol(clock: ApiStage['clock']): Promise<{ readonly offer: Reply; readonly answer: Reply }> {
    const offer = await this.sendForm('/dashboard/enrol', '/dashboard/enrol/offer');
    const secret = (SECRET.exec(offer.body)?.[1] ?? '').replaceAll(' ', '');
    this.ownSecret = secret;
    const code = this.ownCode(clock);
    return { offer, answer: await this.sendForm('/dashboard/enrol', '/dashboard/enrol', { code }) };
  }

  /** A code of the authenticator that was enrolled here. */
  ownCode(clock: ApiStage['clock']): string {
    clock.aheadMs += STEP_MS;
    return generateSync({ secret: this.ownSecret, epoch: clock.now() / 1_000 });
  }

  /** Signs in by password and code. */
  async signIn(next = ''): Promise<Reply> {
    await this.startSignIn(next);
    return this.sendForm('/dashboard/code', '/dashboard/code', { code: this.merchant.nextCode(), next });
  }

  private async send(call: Parameters<ApiInstance['caller']['send']>[0]): Promise<Reply> {
    const cookie: Record<string, string> = this.secret === '' ? {} : { cookie: `__Host-qt_session=${this.secret}` };
    const host: Record<string, string> = this.host === null ? {} : { host: this.host };
    const headers = { accept: 'text/html', ...cookie, ...host, ...call.headers };
    const reply = await this.instance.caller.send({ ...call, headers });
    const given = reply.headers['set-cookie']?.map(text => COOKIE.exec(text)?.[1]).find(text => text !== undefined);
    if (given !== undefined) this.secret = given;
    return reply;
  }
}

/** An API with a merchant whose owner is signed in. */
export class DashboardStage {
  private constructor(
    readonly stage: ApiStage,
    readonly instance: ApiInstance,
    readonly owner: PersonBrowser,
  ) {}

  static async open(
    options: Parameters<ApiStage['startInstance']>[0] = {},
    variables: Readonly<Record<string, string>> = {},
  ): Promise<DashboardStage> {
    // Passkeys are made for an origin, so the service has to know its port.
    const port = await freePort();
    const stage = await ApiStage.open({ PUBLIC_URL: `http://localhost:${port}`, ...variables });
    const instance = await stage.startInstance({ ...options, port });
    return new DashboardStage(stage, instance, await PersonBrowser.ofNewMerchant(stage, instance, 'owner'));
  }

  /** The owner's merchant, who calls the API. */
  get merchant(): StagedMerchant {
    return this.owner.merchant;
  }

  /** A browser of another merchant's owner, signed in. */
  stranger(name = 'stranger'): Promise<PersonBrowser> {
    return PersonBrowser.ofNewMerchant(this.stage, this.instance, name);
  }

  /** The path of a mailed invitation, which the operator has sent. */
  readonly invitationOf = async (email: string, role: UserRole = 'viewer'): Promise<string> => {
    const context = { ...operatorContext({ ...this.stage.core, user: 'alice' }), merchantId: this.merchant.id };
    await this.instance.app.get(CommandBus).execute(new InviteUser(email, role, context));
    const outbox = await OutboxReader.open(this.stage.core.documents);
    return `/dashboard/invitation?token=${TOKEN.exec((await outbox.newestLinkTo(email))?.text ?? '')?.[1]}`;
  };

  /** Invites somebody as the operator does, and lets them join, enrol and sign in. */
  async invited(role: UserRole, name: string = role): Promise<PersonBrowser> {
    const email = `${name}@shop.example`;
    const token = TOKEN.exec(await this.invitationOf(email, role))?.[1];
    const browser = new PersonBrowser(this.instance, this.merchant, email);
    const fields = { token, name, password: PASSWORD };
    await browser.sendForm('/dashboard/invitation', '/dashboard/invitation', fields);
    await browser.startSignIn();
    await browser.enrol(this.stage.clock);
    return browser;
  }

  /** The address of a page for a real browser. */
  url(path: string): string {
    return `http://localhost:${this.instance.port}${path}`;
  }

  /** The cookie of a session, as a real browser takes it. */
  cookie(secret: string) {
    const attributes = { httpOnly: true, secure: true, sameSite: 'Strict' } as const;
    return { name: '__Host-qt_session', value: secret, url: 'https://localhost/', ...attributes };
  }

  close(): Promise<void> {
    return this.stage.close();
  }
}

/** The value of a hidden field of a page's forms. */
export function hiddenIn(body: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
