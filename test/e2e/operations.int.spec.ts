import type { Ask } from '../support/staged-merchant';
import { DashboardStage } from '../web/dashboard-stage';
import { ownWallet } from '../web/dashboard/own-wallet';
import { inferredPayment, quotedPayment, stagedPayment } from '../web/dashboard/staged-payments';

const LIMIT_MS = 60_000;

type Row = {
  readonly line: string;
  /** The id of an object that the operation takes. */
  readonly object: (dashboard: DashboardStage) => Promise<string>;
  readonly body?: (object: string) => object;
  readonly isHighRisk?: true;
  readonly answer: (object: string) => object;
};

const endpoint = async ({ merchant }: DashboardStage): Promise<string> => String((await merchant.createEndpoint()).id);

const ROWS: readonly Row[] = [
  {
    line: 'POST /v1/payment_intents/{id}/accept',
    object: dashboard => stagedPayment(dashboard, 'underpaid'),
    answer: id => ({ id, status: 'confirmed' }),
  },
  {
    line: 'POST /v1/payment_intents/{id}/resolve',
    object: inferredPayment,
    body: () => ({ resolution: 'rejected', note: 'Sent back' }),
    answer: id => ({ id, status: 'underpaid' }),
  },
  {
    line: 'POST /v1/webhook_endpoints/{id}',
    object: endpoint,
    body: () => ({ description: 'Orders' }),
    isHighRisk: true,
    answer: id => ({ id, description: 'Orders' }),
  },
  {
    line: 'GET /v1/webhook_endpoints/{id}/deliveries',
    object: endpoint,
    answer: () => ({ object: 'list', data: [] }),
  },
  {
    line: 'POST /v1/sandbox/transfers',
    object: async dashboard => (await quotedPayment(dashboard, await ownWallet(dashboard.owner))).id,
    body: id => ({ payment_intent: id, outcome: 'exact' }),
    answer: id => ({ object: 'sandbox_transfer', payment_intent: id, outcome: 'exact' }),
  },
];

let dashboard: DashboardStage;

beforeAll(async () => {
  dashboard = await DashboardStage.open({ playsCustomers: true });
}, LIMIT_MS);
afterAll(() => dashboard.close());

it.each(ROWS.map(row => [row.line, row] as const))(
  'answers a merchant by %s',
  async (line, { object, body, isHighRisk, answer }) => {
    const id = await object(dashboard);
    const ask: Ask = body ? { body: body(id) } : {};
    const answered = await dashboard.merchant.done(line.replace('{id}', id), ask, isHighRisk === true);
    expect(answered).toMatchObject(answer(id));
  },
  LIMIT_MS,
);
