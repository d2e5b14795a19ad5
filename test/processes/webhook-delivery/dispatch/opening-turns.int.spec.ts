import { SECOND_MS } from '../../../../src/kernel/clock';
import { parseStreamName, type Mode } from '../../../../src/kernel/event';
import { DispatchStage } from './dispatch-stage';

jest.setTimeout(240_000);

const merchant = (number: number): string => `mch_${String(number).padStart(26, '0')}`;
const [HOSTILE, OTHER] = [merchant(1), merchant(2)];
const ENDPOINTS = 16;
const LIMIT_MS = 60 * SECOND_MS;
/** Of the 32,000 that wait. */
const OPENINGS_BEFORE = 1_000;

let stage: DispatchStage;
/** Deliveries opened by each merchant, in each mode. */
let opened: Map<string, string[]>;

beforeEach(() => {
  stage = new DispatchStage();
  opened = new Map();
  const { append } = stage.store;
  stage.store.append = async (stream, expected, events) => {
    const answer = await append.call(stage.store, stream, expected, events);
    for (const { type, metadata } of events) {
      if (type !== 'DeliveryScheduled') continue;
      const owner = `${metadata.mode} ${metadata.merchant_id}`;
      opened.set(owner, opened.get(owner) ?? []);
      opened.get(owner)?.push(stream);
    }
    return answer;
  };
});
afterEach(() => stage.close());

const openedFor = (merchantId: string, mode: Mode = 'live'): readonly string[] =>
  opened.get(`${mode} ${merchantId}`) ?? [];

async function storm(merchantId: string, mode: Mode, events: number): Promise<void> {
  for (let number = 1; number <= ENDPOINTS; number++) await stage.endpoint(merchantId, number, mode);
  for (let number = 0; number < events; number++) await stage.payment(merchantId, mode);
}

describe('an event of one merchant, behind 2,000 of another one with 16 endpoints', () => {
  it.each(['live', 'test'] as const)('has its delivery before most of those: %s mode before live', async mode => {
    await storm(HOSTILE, mode, 2_000);
    await stage.endpoint(OTHER, 1);
    await stage.payment(OTHER);
    let before = 0;
    const counted = stage.store.append;
    stage.store.append = async (stream, expected, events) => {
      if (openedFor(OTHER).length === 0) before = openedFor(HOSTILE, mode).length;
      return counted.call(stage.store, stream, expected, events);
    };
    await stage.startProcess();
    await stage.passUntil(() => openedFor(OTHER).length > 0, LIMIT_MS);
    expect(openedFor(OTHER)).toHaveLength(1);
    expect(parseStreamName(openedFor(OTHER)[0] as string).universe).toBe('live');
    expect(before).toBeLessThan(OPENINGS_BEFORE);
  });
});
