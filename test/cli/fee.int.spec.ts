import 'reflect-metadata';
import { ALL_PROJECTIONS } from '../../projections/all';
import { ProjectionRunner } from '../../projections/runner/projection-runner';
import { operatorContext } from '../../src/cli/operator-context';
import { openToolbox, type Toolbox } from '../../src/cli/toolbox';
import { feeAccruals } from '../../src/modules/fees/fee-accrual.decider';
import { merchants } from '../../src/modules/merchants/merchant.decider';
import { CliSession } from './cli-support';

const MERCHANT = 'mch_00000000000000000000000001';
const PAYMENT = 'pi_00000000000000000000000001';
const PROJECTION_LIMIT_MS = 30_000;

jest.setTimeout(60_000);

let cli: CliSession;

/** A merchant with a fee of 12.50 euros in live mode. */
beforeEach(async () => {
  cli = new CliSession();
  await withToolbox(async ({ writes, secretBox, ...toolbox }) => {
    // The first use of ids writes to the log, as the first merchant's registration does.
    await secretBox.deriveKey('ids');
    const own = { ...operatorContext({ ...toolbox }), merchantId: MERCHANT };
    await writes.execute(merchants, MERCHANT, { type: 'register', name: 'Shop', email: 'owner@example.com' }, own);
    const accrue = { type: 'accrue', currency: 'EUR', reckonedOnMinorUnits: 250_000n, bps: 50 } as const;
    await writes.execute(feeAccruals, PAYMENT, accrue, { ...own, universe: 'live' });
  });
});
afterEach(() => cli.end());

async function withToolbox<Result>(work: (toolbox: Toolbox) => Promise<Result>): Promise<Result> {
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  try {
    return await work(toolbox);
  } finally {
    await toolbox.close();
  }
}

/** As the service does that runs beside the program. */
const follow = () =>
  withToolbox(async ({ store, documents, log, clock }) => {
    const runner = new ProjectionRunner({ store, documents, log, clock, projections: ALL_PROJECTIONS });
    runner.start();
    const head = await store.lastPosition();
    for (const { name } of ALL_PROJECTIONS) await runner.waitFor(name, head, PROJECTION_LIMIT_MS);
    await runner.stop();
  });

const adjust = (...options: readonly string[]) =>
  cli.json('fee', 'adjust', MERCHANT, '--currency', 'EUR', '--memo', 'a gift', ...options);

it('invoices what is outstanding, lists it, and takes its payment', async () => {
  expect(await adjust('--amount', '-50')).toEqual({
    exitCode: 0,
    merchant_id: MERCHANT,
    mode: 'live',
    currency: 'EUR',
    amount_minor_units: '-50',
    payment_intent: null,
    memo: 'a gift',
  });
  await follow();
  const invoiced = await cli.json<{ readonly id: string }>('fee', 'invoice', MERCHANT, '--currency', 'EUR');
  expect(invoiced).toMatchObject({
    exitCode: 0,
    id: expect.stringMatching(/^finv_/),
    merchant_id: MERCHANT,
    status: 'open',
    number: 'FEE-00000001-000001',
    amount_minor_units: '1200',
  });
  await follow();
  const { exitCode, err } = await cli.run(['fee', 'invoice', MERCHANT, '--currency', 'EUR']);
  expect([exitCode, err]).toEqual([1, expect.stringContaining('nothing_outstanding: ')]);
  await adjust('--amount', '7');
  await follow();
  const listed = await cli.json('fee', 'list');
  expect(listed).toMatchObject({
    exitCode: 0,
    fee_invoices: [{ id: invoiced.id, status: 'open', merchant_id: MERCHANT }],
    more_fee_invoices: 0,
    outstanding: [{ merchant_id: MERCHANT, mode: 'live', currency: 'EUR', amount_minor_units: '7' }],
  });
  const { out } = await cli.run(['fee', 'list', '--merchant', MERCHANT]);
  for (const fact of [invoiced.id, 'FEE-00000001-000001', '12.00 EUR', '0.07 EUR outstanding'])
    expect(out).toContain(fact);
  const paid = await cli.json('fee', 'paid', invoiced.id, '--reference', 'Bank 17');
  expect(paid).toMatchObject({ exitCode: 0, status: 'paid', merchant_id: MERCHANT });
  const other = await cli.run(['fee', 'paid', invoiced.id, '--reference', 'Bank 18']);
  expect([other.exitCode, other.err]).toEqual([1, expect.stringContaining('invalid_state_transition: ')]);
  expect((await cli.json('fee', 'list', '--status', 'paid')).fee_invoices).toMatchObject([{ reference: 'Bank 17' }]);
});

it('asks for nothing while the documents are behind the log', async () => {
  const { exitCode, err } = await cli.run(['fee', 'invoice', MERCHANT, '--currency', 'EUR']);
  expect([exitCode, err]).toEqual([1, expect.stringContaining('provider_unavailable: ')]);
});

it('adds a row of the same id once, and refuses other values under it', async () => {
  const first = await adjust('--amount', '-50', '--id', 'ticket-17');
  expect(first).toMatchObject({ exitCode: 0, amount_minor_units: '-50' });
  expect(await adjust('--amount', '-50', '--id', 'ticket-17')).toEqual(first);
  const other = ['fee', 'adjust', MERCHANT, '--currency', 'EUR', '--memo', 'a gift', '--amount', '-51'];
  const { exitCode, err } = await cli.run([...other, '--id', 'ticket-17']);
  expect([exitCode, err]).toEqual([1, expect.stringContaining('idempotency_key_reuse: ')]);
  await adjust('--amount', '-50', '--id', 'ticket-18');
  await adjust('--amount', '-50', '--id', 'ticket-17', '--mode', 'test');
  const rows = await withToolbox(({ store }) => store.readStream(`live.fee_account-${MERCHANT}`));
  expect(rows).toHaveLength(2);
});

it('proposes an adjustment of the same id once, where two owners decide', async () => {
  for (const email of ['first@pay.example', 'second@pay.example'])
    await cli.run(['admin', 'create', '--email', email, '--password', 'violet harbour 42']);
  const first = await adjust('--amount', '-50', '--id', 'ticket-17');
  expect(first).toMatchObject({ exitCode: 0, permission: 'fee.adjust', status: 'pending' });
  expect(await adjust('--amount', '-50', '--id', 'ticket-17')).toEqual(first);
  const other = ['fee', 'adjust', MERCHANT, '--currency', 'EUR', '--memo', 'a gift', '--amount', '-51'];
  const { exitCode, err } = await cli.run([...other, '--id', 'ticket-17']);
  expect([exitCode, err]).toEqual([1, expect.stringContaining('idempotency_key_reuse: ')]);
  expect((await adjust('--amount', '-50')).approval).not.toBe(first.approval);
});

it('corrects the ledger of test mode too, and changes the rate', async () => {
  expect(await adjust('--amount', '300', '--mode', 'test')).toMatchObject({ exitCode: 0, mode: 'test' });
  expect(await cli.json('fee', 'rate', MERCHANT, '40')).toEqual({ exitCode: 0, merchant_id: MERCHANT, fee_bps: 40 });
  const rate = await withToolbox(async ({ writes }) => (await writes.load(merchants, 'platform', MERCHANT)).state);
  expect(rate).toMatchObject({ feeBps: 40 });
});

it.each([
  [['adjust', MERCHANT, '--currency', 'EUR', '--amount', '1', '--memo', ' '], 1, 'invalid_memo'],
  [['adjust', MERCHANT, '--currency', 'EUR', '--amount', '0.5', '--memo', 'x'], 2, 'whole number of minor units'],
  [['adjust', MERCHANT, '--currency', 'EUR', '--amount', '1'], 2, '--memo'],
  [['adjust', MERCHANT, '--currency', 'EUR', '--amount', '1', '--memo', 'x', '--id', ''], 2, 'visible characters'],
  [
    ['adjust', 'mch_00000000000000000000000009', '--currency', 'EUR', '--amount', '1', '--memo', 'x'],
    1,
    'merchant_not_found',
  ],
  [['rate', MERCHANT, '2000'], 1, 'from 0 to 1000'],
  [['adjust', MERCHANT, '--currency', 'XXQ', '--amount', '1', '--memo', 'x'], 1, 'XXQ is no currency'],
  [['rate', MERCHANT, '0.5'], 2, 'whole numbers'],
  [['paid', 'finv_00000000000000000000000009', '--reference', 'x'], 1, 'resource_missing'],
  [['list', '--status', 'late'], 2, 'Allowed choices'],
])('is refused: fee %j', async (args, exitCode, said) => {
  const ran = await cli.run(['fee', ...args]);
  expect([ran.exitCode, ran.err]).toEqual([exitCode, expect.stringContaining(said)]);
});

it('shows an example of each command', async () => {
  for (const command of ['list', 'adjust', 'invoice', 'paid', 'rate'])
    expect((await cli.run(['fee', command, '--help'])).out).toContain(`npx quittance fee ${command}`);
});
