import { ERROR_CATALOGUE } from '../../src/vocabulary/error-catalogue';
import { ApiStage, type ApiInstance } from '../support/api-stage';

export const LONGEST_CODE = Object.keys(ERROR_CATALOGUE).reduce((one, other) =>
  other.length > one.length ? other : one,
);
/** The documentation's pages by their route. */
export const DOCS_ROUTES: Readonly<Record<string, readonly string[]>> = {
  '/docs': ['/docs'],
  '/docs/quick-start': ['/docs/quick-start'],
  '/docs/dashboard': ['/docs/dashboard'],
  '/docs/webhooks': ['/docs/webhooks'],
  '/docs/operations/{id}': ['/docs/operations/createPaymentIntent', '/docs/operations/getHealth'],
  '/docs/errors': ['/docs/errors'],
  '/docs/errors/{code}': [`/docs/errors/${LONGEST_CODE}`, '/docs/errors/rate_limit'],
};
export const LOG_ROUTE = '/dashboard/requests/{id}';
const FAULTS: Readonly<Record<string, number>> = {
  '/nothing': 404,
  '/docs/nothing': 404,
  '/docs/errors/': 400,
  '/dashboard/nothing': 404,
  '/checkout/pi_none': 404,
  '/checkout/pi_none?lang=ar': 404,
  '/pay/plink_none': 404,
};
/** Without a key, a browser is told how to read the log. */
const GUIDE_OF_LOGS = '/dashboard/requests/req_00000000000000000000000000';

/** The name that tests give the page of a log, whose address differs from run to run. */
export const LOG = 'the log';
/** All pages of developers, and faults, with the status that each has. */
export const DEVELOPERS_PAGES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    Object.values(DOCS_ROUTES)
      .flat()
      .map(at => [at, 200]),
  ),
  ...FAULTS,
  [GUIDE_OF_LOGS]: 200,
  [LOG]: 200,
};

/** An API whose pages are looked at, with a merchant and the log of a request that was refused. */
export class DevelopersStage {
  private constructor(
    private readonly stage: ApiStage,
    private readonly instance: ApiInstance,
    private readonly key: string,
    private readonly logged: string,
  ) {}

  static async open(): Promise<DevelopersStage> {
    const stage = await ApiStage.open();
    const instance = await stage.startInstance();
    const merchant = await stage.register(instance, { isChecked: false });
    const key = merchant.registered.keys.test;
    const asked = { method: 'POST', path: '/v1/payment_intents', body: '{"amount": "x", "currency": "EUR"}' };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const refused = await instance.caller.send({ ...asked, headers });
    await instance.parts.requestLog.flush();
    return new DevelopersStage(stage, instance, key, `/dashboard/requests/${String(refused.headers['request-id'])}`);
  }

  /** The address of a page of `DEVELOPERS_PAGES`, and the headers that a browser needs for it. */
  request(page: string): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
    const isLog = page === LOG;
    return {
      url: `http://127.0.0.1:${this.instance.port}${isLog ? this.logged : page}`,
      headers: isLog ? { authorization: `Bearer ${this.key}` } : {},
    };
  }

  close(): Promise<void> {
    return this.stage.close();
  }
}
