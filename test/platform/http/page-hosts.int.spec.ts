import { request } from 'node:http';
import { ApiStage, type ApiInstance } from '../../support/api-stage';

const URLS = {
  PUBLIC_URL: 'https://pay.example',
  CHECKOUT_URL: 'https://checkout.example/checkout',
  DASHBOARD_URL: 'https://dash.example/dashboard',
};
const HOSTS = ['pay.example', 'checkout.example', 'dash.example'] as const;

let stage: ApiStage;
let instance: ApiInstance;
beforeAll(async () => {
  stage = await ApiStage.open(URLS);
  instance = await stage.startInstance();
}, 60_000);
afterAll(() => stage?.close());

/** The code of a refusal, or the status of another answer. */
function asked(host: string, path: string): Promise<string | number> {
  const headers = { host, accept: 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request({ port: instance.port, path, headers }, answer => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const [, code] = /"code":"(\w+)"/.exec(Buffer.concat(chunks).toString()) ?? [];
        resolve(code ?? (answer.statusCode as number));
      });
    });
    sent.on('error', reject).end();
  });
}

it.each([
  ['/checkout/pi_00000000000000000000000000', 'checkout.example', 'payment_not_found'],
  ['/dashboard/requests/req_1', 'dash.example', 'authentication_required'],
  ['/v1/payment_intents', 'pay.example', 'authentication_required'],
])('serves %s at %s alone', async (path, home, answer) => {
  const answers = await Promise.all(HOSTS.map(host => asked(host, path)));
  expect(answers).toEqual(HOSTS.map(host => (host === home ? answer : 'unknown_route')));
});

// The router decodes a path, and takes one from a whole URL.
it.each([
  '/%63heckout/pi_00000000000000000000000000',
  'http://pay.example/checkout/pi_00000000000000000000000000',
  '/%64ashboard/requests/req_1',
  'https://pay.example/dashboard/requests/req_1',
  '/%76%31/payment_intents',
  '/openapi%2Ejson',
])('serves %s at one host alone, however the path is written', async path => {
  const answers = await Promise.all(HOSTS.map(host => asked(host, path)));
  expect(answers.filter(answer => answer !== 'unknown_route')).toHaveLength(1);
});
