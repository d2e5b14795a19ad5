import type { ApiInstance } from '../support/api-stage';
import type { Reply } from '../support/http-caller';

const FORM = 'application/x-www-form-urlencoded';

type Call = Parameters<ApiInstance['caller']['send']>[0];
type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly formId?: string; readonly csrf?: string };

/** A browser of one person: its cookie, and the headers that browsers send. */
export class FormBrowser {
  /** The session's cookie; empty before signing in. */
  secret = '';

  constructor(
    readonly instance: ApiInstance,
    readonly cookieName: string,
    /** The host that requests name; by default the address that they are sent to. */
    protected readonly host: string | null = null,
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

  /** Sends a body as it is, such as one with a file. */
  sendRaw(path: string, call: Pick<Call, 'headers' | 'body'>): Promise<Reply> {
    return this.send({ method: 'POST', path, ...call });
  }

  private async send(call: Call): Promise<Reply> {
    const cookie: Record<string, string> = this.secret === '' ? {} : { cookie: `${this.cookieName}=${this.secret}` };
    const host: Record<string, string> = this.host === null ? {} : { host: this.host };
    const headers = { accept: 'text/html', ...cookie, ...host, ...call.headers };
    const reply = await this.instance.caller.send({ ...call, headers });
    const start = `${this.cookieName}=`;
    const given = reply.headers['set-cookie']?.find(text => text.startsWith(start))?.slice(start.length);
    if (given !== undefined) this.secret = given.split(';', 1)[0] ?? '';
    return reply;
  }
}

/** The value of a hidden field of a page's forms. */
export function hiddenIn(body: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
}
