import { SoftwareAuthenticator } from '../../support/software-authenticator';
import type { Reply } from '../../support/http-caller';
import type { DashboardStage, PersonBrowser } from '../dashboard-stage';

const JSON_HEADERS = {
  'content-type': 'application/json',
  'sec-fetch-site': 'same-origin',
  accept: 'application/json',
} as const;

/** The stage's owner with an authenticator of passkeys, as the page's script speaks for it. */
export class PasskeyHolder {
  private readonly authenticator: SoftwareAuthenticator;
  private readonly owner: PersonBrowser;

  constructor(dashboard: DashboardStage) {
    const { origin, hostname } = new URL(dashboard.url('/'));
    this.authenticator = new SoftwareAuthenticator(origin, hostname);
    this.owner = dashboard.owner;
  }

  /** Adds the passkey to the owner's account. */
  async add(name: string): Promise<{ readonly id: string; readonly answer: Reply }> {
    const { owner, authenticator } = this;
    const offered = await this.send(owner, '/dashboard/passkeys/options', { code: owner.merchant.nextCode() });
    const credential = authenticator.create(JSON.parse(offered.body));
    const answer = await this.send(owner, '/dashboard/passkeys', { credential, name });
    const { body } = await owner.open('/dashboard/test/security');
    return { id: /security\/passkeys\/(psk_\w+)\/remove/.exec(body)?.[1] ?? '', answer };
  }

  /** Signs the owner in, in another browser. */
  async signIn(browser: PersonBrowser): Promise<Reply> {
    const offered = await this.send(browser, '/dashboard/passkey/options', {});
    const credential = this.authenticator.get(JSON.parse(offered.body));
    return this.send(browser, '/dashboard/passkey', { credential });
  }

  private send(browser: PersonBrowser, path: string, body: object): Promise<Reply> {
    return browser.sendRaw(path, { headers: JSON_HEADERS, body: JSON.stringify(body) });
  }
}
