import { SECOND_MS } from '../../../../src/kernel/clock';
import { LEASE_MS } from '../../../../src/processes/webhook-delivery/dispatch/endpoint-leases';
import { DispatchStage } from './dispatch-stage';

jest.setTimeout(120_000);

const MERCHANT = 'mch_00000000000000000000000001';
/** A lease of an endpoint, and a few looks at the list. */
const TAKEN_OVER_MS = LEASE_MS + 3 * SECOND_MS;

let stage: DispatchStage;

beforeEach(() => {
  stage = new DispatchStage();
});
afterEach(() => stage.close());

const timesSent = (payment: string): number => stage.sent.filter(sent => sent.payment === payment).length;

describe('two processes side by side', () => {
  it('send each message once', async () => {
    for (let count = 0; count < 2; count++) await stage.startProcess();
    for (let number = 1; number <= 6; number++) await stage.endpoint(MERCHANT, number);
    const payments: string[] = [];
    for (let count = 0; count < 40; count++) payments.push(await stage.payment(MERCHANT));
    await stage.pass(20 * SECOND_MS);
    expect(payments.map(timesSent)).toStrictEqual(payments.map(() => 6));
  });

  it('give an endpoint no more than its four places together', async () => {
    for (let count = 0; count < 2; count++) await stage.startProcess();
    const url = await stage.endpoint(MERCHANT, 1);
    stage.answerMs = 2 * SECOND_MS;
    for (let count = 0; count < 30; count++) await stage.payment(MERCHANT);
    let most = 0;
    for (let step = 0; step < 100; step++) {
      await stage.pass(SECOND_MS / 5);
      most = Math.max(most, stage.underWay.get(url) ?? 0);
    }
    expect(most).toBe(4);
  });
});

describe('a process that is killed', () => {
  it('between the scheduling and the first attempt leaves it to the next one', async () => {
    await stage.endpoint(MERCHANT, 1);
    const first = await stage.startProcess();
    const { append } = stage.store;
    // Dies as the delivery stands in the log: before it is told of it.
    stage.store.append = async (stream, expected, events) => {
      const answer = await append.call(stage.store, stream, expected, events);
      if (events.some(({ type }) => type === 'DeliveryScheduled')) first.kill();
      return answer;
    };
    const payment = await stage.payment(MERCHANT);
    await stage.pass(5 * SECOND_MS);
    expect(timesSent(payment)).toBe(0);
    await stage.startProcess();
    expect(await stage.timeTo(payment, TAKEN_OVER_MS)).toBeLessThan(TAKEN_OVER_MS);
  });

  it('while a receiver hangs leaves all that waits there to the other one, once its lease is over', async () => {
    const url = await stage.endpoint(MERCHANT, 1);
    stage.hanging.add(url);
    const first = await stage.startProcess();
    const payments: string[] = [];
    for (let count = 0; count < 6; count++) payments.push(await stage.payment(MERCHANT));
    await stage.pass(2 * SECOND_MS);
    expect(stage.underWay.get(url)).toBe(4);
    first.kill();
    await stage.startProcess();
    stage.hanging.clear();
    await stage.pass(TAKEN_OVER_MS);
    expect(payments.every(payment => timesSent(payment) >= 1)).toBe(true);
    const last = await stage.payment(MERCHANT);
    expect(await stage.timeTo(last, TAKEN_OVER_MS)).toBeLessThan(2 * SECOND_MS);
  });
});
