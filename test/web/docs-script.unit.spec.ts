import { createContext, runInContext } from 'node:vm';
import { buildSync } from 'esbuild';
import path from 'node:path';

const ENTRY = path.resolve(__dirname, '..', '..', 'web', 'browser', 'docs.ts');
const [built] = buildSync({ entryPoints: [ENTRY], bundle: true, format: 'iife', write: false }).outputFiles;
const SCRIPT = built?.text ?? '';

type Field = { readonly value: string; readonly dataset: { readonly in: string; readonly name: string } };
type Sent = { readonly url: string; readonly options: Readonly<Record<string, unknown>> };

/** The page's form as far as the script touches it; resolves to the request that was sent and the text shown then. */
async function submit(dataset: object, fields: readonly Field[], answer: () => Promise<unknown>, pathname: string) {
  const sent: Sent[] = [];
  const shown = { textContent: '' };
  const submitted: ((event: object) => void)[] = [];
  const form = {
    dataset,
    hidden: true,
    querySelectorAll: () => fields,
    querySelector: () => ({ replaceChildren: () => undefined }),
    addEventListener: (_: string, listener: (event: object) => void) => submitted.push(listener),
  };
  const settled = new Promise<void>(resolve => {
    const fetched = async (url: string, options: Readonly<Record<string, unknown>>) => {
      sent.push({ url, options });
      setImmediate(resolve);
      return answer();
    };
    const document = {
      querySelectorAll: (selector: string) => (/^form|data-scripted/.test(selector) ? [form] : []),
      createElement: () => shown,
      addEventListener: () => undefined,
    };
    const page = { document, fetch: fetched, location: { pathname }, URLSearchParams, Error };
    runInContext(SCRIPT, createContext(page));
  });
  let prevented = false;
  submitted[0]?.({ preventDefault: () => (prevented = true) });
  await settled;
  expect([prevented, form.hidden]).toEqual([true, false]);
  return { sent, shown: shown.textContent };
}

const field = (name: string, place: string, value: string): Field => ({ value, dataset: { in: place, name } });
const answered = (status: number, body: string) => () =>
  Promise.resolve({ status, headers: new Headers({ 'request-id': 'req_1' }), text: () => Promise.resolve(body) });

it('sends what the form says and shows the answer', async () => {
  const dataset = { method: 'POST', path: '/v1/wallets/{id}/verify' };
  const fields = [
    field('id', 'path', 'wal_1/../x'),
    field('key', 'key', 'sk_test_1'),
    field('Mfa-Code', 'header', ' 123456 '),
    field('Mfa-Proof', 'header', ''),
    field('body', 'body', '{"method":"signed_message"}'),
  ];
  const { sent, shown } = await submit(
    dataset,
    fields,
    answered(200, '{"id":"wal_1"}'),
    '/docs/operations/verifyWallet',
  );
  expect(sent).toEqual([
    {
      url: '/v1/wallets/wal_1%2F..%2Fx/verify',
      options: {
        method: 'POST',
        headers: { Authorization: 'Bearer sk_test_1', 'Mfa-Code': '123456', 'Content-Type': 'application/json' },
        body: '{"method":"signed_message"}',
        credentials: 'omit',
      },
    },
  ]);
  expect(shown).toBe('POST /v1/wallets/wal_1%2F..%2Fx/verify\n200 req_1\n\n{\n  "id": "wal_1"\n}');
});

it('puts filters into the query, below the path that the page lies under', async () => {
  const fields = [field('status', 'query', 'paid_late'), field('limit', 'query', '')];
  const dataset = { method: 'GET', path: '/v1/payment_intents' };
  const { sent } = await submit(dataset, fields, answered(200, '{}'), '/quittance/docs/operations/listPaymentIntents');
  expect(sent).toMatchObject([{ url: '/quittance/v1/payment_intents?status=paid_late' }]);
});

it('says when no answer came', async () => {
  const { shown } = await submit(
    { method: 'GET', path: '/healthz' },
    [],
    () => Promise.reject(new Error('refused')),
    '/docs/operations/getHealth',
  );
  expect(shown).toBe('No answer: refused');
});
