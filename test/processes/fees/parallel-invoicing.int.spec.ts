import { operatorContext } from '../../../src/cli/operator-context';
import { unwritten } from '../../../src/kernel/write-path';
import { isRefusal } from '../../../src/vocabulary/errors';
import type { RecordedEvent } from '../../../src/kernel/event';
import { feeAccruals } from '../../../src/modules/fees/fee-accrual.decider';
import type { FeeInvoiced } from '../../../src/modules/fees/fee-account.events';
import type { LiveContext } from '../../../src/processes/fees/fee-billing';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { recordedEvents } from '../../support/recorded-events';
import { pi } from './fee-stage';

const LIMIT_MS = 120_000;
const INVOICINGS = 50;
const ACCRUALS = 120;

let stage: ApiStage;
let instances: readonly ApiInstance[];
let merchantId: string;

beforeAll(async () => {
  stage = await ApiStage.open();
  instances = [await stage.startInstance(), await stage.startInstance()];
  ({ id: merchantId } = await stage.register(instances[0] as ApiInstance));
  stage.follow();
}, LIMIT_MS);
afterAll(() => stage.close(), LIMIT_MS);

function context(): LiveContext {
  return { ...operatorContext({ ...stage.core, user: 'alice' }), universe: 'live', merchantId };
}

/** Fees of different heights, so that no two sums of them are equal by chance. */
async function accrue(number: number): Promise<void> {
  const command = { type: 'accrue', currency: 'EUR', reckonedOnMinorUnits: BigInt(200 * number), bps: 50 } as const;
  await stage.core.writes.execute(feeAccruals, pi(number), command, context(), unwritten(feeAccruals));
}

/** The refusal's code, or the fee invoice's amount. */
async function invoice(number: number): Promise<string> {
  const { parts } = instances[number % instances.length] as ApiInstance;
  return parts.fees.billing.invoice('EUR', context()).then(
    ({ state }) => state.facts.amount_minor_units,
    (error: unknown) => (isRefusal(error) ? error.code : Promise.reject(error)),
  );
}

it(
  'covers each accrual once, while 50 invoicings at two instances meet new accruals',
  async () => {
    const accruing = (async () => {
      for (let number = 1; number <= ACCRUALS; number++) await accrue(number);
    })();
    const outcomes = await Promise.all(Array.from({ length: INVOICINGS }, (_, number) => invoice(number)));
    await accruing;
    for (let tries = 0; (await invoice(tries)) !== 'nothing_outstanding'; tries++) expect(tries).toBeLessThan(10);
    const recorded = (await recordedEvents(stage.core.store, 'fee_account')) as readonly RecordedEvent<FeeInvoiced>[];
    const invoiced = recorded.reduce((sum, { data }) => sum + BigInt(data.amount_minor_units), 0n);
    // The sum of 1 to 120: each fee was asked for, and none twice.
    expect(invoiced).toBe(7_260n);
    const covered = recorded.map(({ data }) => BigInt(data.account.sums.EUR?.covered_minor_units ?? 0));
    // Each fee invoice covers a prefix of the accruals, and no two of them the same one.
    const prefixes = Array.from({ length: ACCRUALS }, (_, index) => BigInt(((index + 1) * (index + 2)) / 2));
    expect(covered.every(sum => prefixes.includes(sum))).toBe(true);
    expect([...new Set(covered)].sort((one, other) => Number(one - other))).toEqual(covered);
    expect(await recordedEvents(stage.core.store, 'fee_invoice')).toHaveLength(recorded.length);
    expect(new Set(recorded.map(({ data }) => data.number)).size).toBe(recorded.length);
    const known = outcomes.filter(
      outcome => /^\d+$/.test(outcome) || outcome === 'nothing_outstanding' || outcome === 'provider_unavailable',
    );
    expect(known).toHaveLength(INVOICINGS);
    expect(outcomes.filter(outcome => /^\d+$/.test(outcome)).length).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
