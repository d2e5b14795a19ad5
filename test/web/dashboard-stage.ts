import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { Reply } from '../support/http-caller';
import type { StagedMerchant } from '../support/staged-merchant';

const FORM = 'application/x-www-form-urlencoded';
const PASSWORD = 'plum harbour 47 lanterns';
const COOKIE = /__Host-qt_session=([^;]*)/;

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly formId?: string; readonly csrf?: string };

/** A browser of one person: its cookie, and the headers that browsers send. */
export class PersonBrowser {
  /** The session's cookie; empty before signing in. */
  secret = '';

  constructor(
    readonly instance: ApiInstance,
    readonly merchant: StagedMerchant,
  ) {}

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

  /** Signs in by password and code. */
  async signIn(next = ''): Promise<Reply> {
    const { email } = this.merchant.registered;
    await this.sendForm('/dashboard/sign-in', '/dashboard/sign-in', { email, password: PASSWORD, next });
    return this.sendForm('/dashboard/code', '/dashboard/code', { code: this.merchant.nextCode(), next });
  }

  private async send(call: Parameters<ApiInstance['caller']['send']>[0]): Promise<Reply> {
    const cookie: Record<string, string> = this.secret === '' ? {} : { cookie: `__Host-qt_session=${this.secret}` };
    const headers = { accept: 'text/html', ...cookie, ...call.headers };
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
    readonly merchant: StagedMerchant,
    readonly owner: PersonBrowser,
  ) {}

  static async open(options: Parameters<ApiStage['startInstance']>[0] = {}): Promise<DashboardStage> {
    const stage = await ApiStage.open({ MODES: 'test,live' });
    const instance = await stage.startInstance(options);
    const merchant = await stage.register(instance, { isChecked: false });
    const owner = new PersonBrowser(instance, merchant);
    await owner.signIn();
    return new DashboardStage(stage, instance, merchant, owner);
  }

  /** A browser of another merchant's owner, signed in. */
  async stranger(): Promise<PersonBrowser> {
    const browser = new PersonBrowser(this.instance, await this.stage.register(this.instance, { isChecked: false }));
    await browser.signIn();
    return browser;
  }

  /** The address of a page for a real browser. */
  url(path: string): string {
    return `http://localhost:${this.instance.port}${path}`;
  }

  close(): Promise<void> {
    return this.stage.close();
  }
}

/** The value of a hidden field of a page's forms. */
export function hiddenIn(body: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
}
