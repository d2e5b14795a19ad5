import { dueDeliveriesProjection } from '../../../../projections/due-deliveries.projection';
import { collectionSpec } from '../../../../projections/runner/projection-collection';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/kernel/clock';
import type { Document } from '../../../../src/kernel/ports/documents';
import { sandboxClocks } from '../../../../src/modules/sandbox/sandbox-clock.decider';
import { broken } from '../webhook-fixture';
import { DispatchStage, type StagedProcess } from './dispatch-stage';

jest.setTimeout(120_000);

const MERCHANT = 'mch_00000000000000000000000001';

let stage: DispatchStage;

beforeEach(() => {
  stage = new DispatchStage();
});
afterEach(() => stage.close());

const timesSent = (payment: string): number => stage.sent.filter(sent => sent.payment === payment).length;

async function due(): Promise<readonly Document[]> {
  const collection = await stage.documents.open(collectionSpec(dueDeliveriesProjection));
  return collection.list({ index: 'by_due', equals: {}, limit: 1_000 });
}

async function advanced(process: StagedProcess, byMs: number): Promise<void> {
  const command = { type: 'advance', byMs, wallMs: stage.wall.now() } as const;
  await process.core.writes.execute(sandboxClocks, MERCHANT, command, stage.context(MERCHANT, 'test'));
  await process.webhooks.dispatcher.drain(MERCHANT);
}

describe('the dispatcher', () => {
  it('makes retries at their times', async () => {
    await stage.startWarmProcess();
    await stage.endpoint(MERCHANT, 1);
    stage.outcome = broken;
    const payment = await stage.payment(MERCHANT);
    await stage.pass(SECOND_MS);
    const startedMs = stage.sent[0]?.atMs ?? 0;
    await stage.pass(7 * MINUTE_MS);
    const seconds = stage.sent.map(({ atMs }) => (atMs - startedMs) / SECOND_MS);
    for (const [index, second] of [0, 60, 360].entries()) {
      expect(seconds[index]).toBeGreaterThanOrEqual(second);
      expect(seconds[index]).toBeLessThan(second + 2);
    }
    expect(timesSent(payment)).toBe(3);
  });

  it('leaves nothing in the list of what is delivered', async () => {
    await stage.startWarmProcess();
    await stage.endpoint(MERCHANT, 1);
    const payments = [await stage.payment(MERCHANT), await stage.payment(MERCHANT)];
    await stage.pass(5 * SECOND_MS);
    expect(payments.map(timesSent)).toStrictEqual([1, 1]);
    expect(await due()).toStrictEqual([]);
  });

  it('takes out of the list what a slower process has put back', async () => {
    await stage.startWarmProcess();
    await stage.endpoint(MERCHANT, 1);
    stage.answerMs = 2 * SECOND_MS;
    const payment = await stage.payment(MERCHANT);
    await stage.pass(SECOND_MS);
    const [opened] = await due();
    await stage.pass(3 * SECOND_MS);
    expect(await due()).toStrictEqual([]);
    const collection = await stage.documents.open(collectionSpec(dueDeliveriesProjection));
    await collection.put(opened as Document<never>);
    await stage.pass(2 * SECOND_MS);
    expect(await due()).toStrictEqual([]);
    expect(timesSent(payment)).toBe(1);
  });

  it('puts off a delivery that fails by a fault of its own, and goes on with the others', async () => {
    await stage.startWarmProcess();
    await stage.endpoint(MERCHANT, 1);
    stage.faulty = true;
    const poor = await stage.payment(MERCHANT);
    await stage.pass(SECOND_MS);
    stage.faulty = false;
    const told = stage.errors.length;
    expect(told).toBeGreaterThan(0);
    const other = await stage.payment(MERCHANT);
    expect(await stage.timeTo(other, MINUTE_MS)).toBeLessThan(SECOND_MS);
    await stage.pass(5 * SECOND_MS);
    expect(timesSent(poor)).toBeGreaterThan(1);
    expect(await due()).toStrictEqual([]);
  });

  it('makes what a merchant’s advanced clock has made due, and answers when it is made', async () => {
    const process = await stage.startWarmProcess();
    await stage.endpoint(MERCHANT, 1, 'test');
    stage.outcome = broken;
    const payment = await stage.payment(MERCHANT, 'test');
    await stage.pass(SECOND_MS);
    expect(timesSent(payment)).toBe(1);
    for (const attempts of [2, 3, 4]) {
      const answered = advanced(process, HOUR_MS);
      let isAnswered = false;
      void answered.then(() => (isAnswered = true));
      await stage.passUntil(() => isAnswered, 10 * SECOND_MS);
      expect(isAnswered).toBe(true);
      expect(timesSent(payment)).toBe(attempts);
    }
  });
});
