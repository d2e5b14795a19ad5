import type { Reply } from '../support/http-caller';
import type { ApiInstance } from '../support/api-stage';

const FORM = 'application/x-www-form-urlencoded';
const FORM_ID = /name="form_id" value="([0-9a-f]{32})"/;

type FormOptions = { readonly headers?: Readonly<Record<string, string>>; readonly formId?: string };

/** A customer who knows the address of a payment's page, and nothing else. */
export class CustomerBrowser {
  constructor(
    private readonly instance: ApiInstance,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.instance.caller.send({
      method: 'GET',
      path,
      headers: { accept: 'text/html', ...this.headers, ...headers },
    });
  }

  /** A form's id as the page at the path has it now. */
  async formId(path: string): Promise<string> {
    return FORM_ID.exec((await this.open(path)).body)?.[1] ?? '';
  }

  /** Sends a form of the payment's page, whose id it takes from there. */
  async send(id: string, action: string, fields: object, options: FormOptions = {}): Promise<Reply> {
    return this.sendForm(`/checkout/${id}`, `/checkout/${id}/${action}`, fields, options);
  }

  /** Sends a form of the page at the path, whose id it takes from there. */
  async sendForm(page: string, path: string, fields: object, options: FormOptions = {}): Promise<Reply> {
    const formId = options.formId ?? (await this.formId(page));
    return this.instance.caller.send({
      method: 'POST',
      path,
      headers: {
        accept: 'text/html',
        'content-type': FORM,
        'sec-fetch-site': 'same-origin',
        ...this.headers,
        ...options.headers,
      },
      body: new URLSearchParams({ form_id: formId, ...fields }).toString(),
    });
  }
}

/** The title of the page's screen. */
export function titleOf({ body }: Reply): string {
  return /<h1[^>]*>([^<]*)</.exec(body)?.[1] ?? '';
}
