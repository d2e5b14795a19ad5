import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { CommandBus } from '@nestjs/cqrs';
import { generateSync } from 'otplib';
import { operatorContext } from '../../src/cli/operator-context';
import { OutboxReader } from '../../src/modules/outbox/queries/outbox-reader';
import { InviteUser } from '../../src/modules/users/commands/manage-users.command';
import type { UserRole } from '../../src/vocabulary/roles';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { Reply } from '../support/http-caller';
import type { StagedMerchant } from '../support/staged-merchant';
import { FormBrowser } from './form-browser';

const PASSWORD = 'plum harbour 47 lanterns';
const TOKEN = /\?token=([\w-]+)/;
const STEP_MS = 30_000;
const SECRET = /<code>([A-Z2-7 ]+)<\/code>/;

/** A browser of one merchant's person. */
export class PersonBrowser extends FormBrowser {
  private ownSecret = '';

  constructor(
    instance: ApiInstance,
    readonly merchant: StagedMerchant,
    readonly email: string,
    host: string | null = null,
  ) {
    super(instance, '__Host-qt_session', host);
  }

  /** The owner of a new merchant, signed in. */
  static async ofNewMerchant(stage: ApiStage, instance: ApiInstance, name: string): Promise<PersonBrowser> {
    const email = `${name}@shop.example`;
    const merchant = await stage.register(instance, { isChecked: false, email });
    const browser = new PersonBrowser(instance, merchant, email);
    await browser.signIn();
    return browser;
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
