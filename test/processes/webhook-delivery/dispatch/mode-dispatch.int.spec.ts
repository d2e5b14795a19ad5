import { setImmediate as nextTurn } from 'node:timers/promises';
import { SECOND_MS } from '../../../../src/kernel/clock';
import type { WebhookOutcome } from '../../../../src/kernel/ports/webhook-sender';
import type { WritePath } from '../../../../src/kernel/write-path';
import { UNTRIED } from '../../../../src/processes/webhook-delivery/dispatch/circuit';
import type { DueList } from '../../../../src/processes/webhook-delivery/dispatch/due-list';
import { EndpointLeases, LEASE_MS } from '../../../../src/processes/webhook-delivery/dispatch/endpoint-leases';
import { ModeDispatch } from '../../../../src/processes/webhook-delivery/dispatch/mode-dispatch';
import { Places } from '../../../../src/processes/webhook-delivery/dispatch/places';
import type { Attempted } from '../../../../src/processes/webhook-delivery/webhook-delivery';
import { SteppedClock } from '../../../projections/runner/stepped-clock';
import { RecordingLog } from '../../../support/fixture-doubles';
import { MemoryDocuments } from '../../../support/memory-documents';
import { seededEntropy } from '../../outage-stage';
import { ok } from '../webhook-fixture';

/** A quarter of them is for endpoints that were never tried, so one such attempt at a time is made. */
const PLACES = 4;
const TURNS = 20;

/** The dispatch of one process: a list that names nothing by itself, and attempts that end when the test says so. */
class Stage {
  readonly clock = new SteppedClock();
  readonly documents = new MemoryDocuments();
  readonly log = new RecordingLog();
  /** Deliveries in the order in which their attempts began. */
  readonly begun: string[] = [];
  /** The list's deliveries of each endpoint. */
  listed: readonly string[] = [];
  private readonly answers = new Map<string, (outcome: WebhookOutcome | null) => void>();
  readonly leases = new EndpointLeases(this.documents, this.clock, seededEntropy());
  readonly dispatch: ModeDispatch;

  constructor(places = PLACES) {
    const ofEndpoint = (endpoint: string) => {
      return Promise.resolve(this.listed.filter(id => id.endsWith(`:${endpoint}`)).map(id => ({ id })));
    };
    const list = { look: () => Promise.resolve(false), ofEndpoint };
    this.dispatch = new ModeDispatch({
      mode: 'live',
      places,
      list: list as unknown as DueList,
      leases: this.leases,
      delivery: { attempt: (_, deliveryId) => this.attempt(deliveryId) },
      writes: {} as WritePath,
      clock: this.clock as never,
      entropy: seededEntropy(),
      log: this.log,
    });
  }

  offer(...deliveryIds: readonly string[]): Promise<void> {
    for (const deliveryId of deliveryIds) this.dispatch.offer({ deliveryId, merchantId: merchantOf(deliveryId) }, true);
    return turns();
  }

  answer(deliveryId: string, outcome: WebhookOutcome | null = ok): Promise<void> {
    this.answers.get(deliveryId)?.(outcome);
    return turns();
  }

  async pass(durationMs: number): Promise<void> {
    this.clock.step(durationMs);
    await turns();
  }

  async look(): Promise<void> {
    await this.dispatch.look();
    await turns();
  }

  private attempt(deliveryId: string): Promise<Attempted> {
    this.begun.push(deliveryId);
    return new Promise(resolve => {
      this.answers.set(deliveryId, outcome => resolve({ wasDue: true, outcome, isMore: false }));
    });
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}

const deliveryTo = (endpoint: number, number = 1): string => `evt_${number}:we_${endpoint}`;
const merchantOf = (deliveryId: string): string => deliveryId.replace(/^.*we_/, 'mch_');

describe('an endpoint that waits for a place', () => {
  const [hanging, waiting] = [deliveryTo(1), deliveryTo(2)];
  let stage: Stage;

  beforeEach(async () => {
    stage = new Stage();
    await stage.offer(hanging, waiting);
    expect(stage.begun).toStrictEqual([hanging]);
  });

  it('is sent to as a place is free, though its lease has lapsed meanwhile', async () => {
    await stage.pass(LEASE_MS);
    await stage.answer(hanging);
    expect(stage.begun).toStrictEqual([hanging, waiting]);
  });

  it('keeps its lease while the process looks', async () => {
    const other = new EndpointLeases(stage.documents, stage.clock, { bytes: count => Buffer.alloc(count, 1) });
    for (let passedMs = 0; passedMs < 2 * LEASE_MS; passedMs += SECOND_MS) {
      await stage.pass(SECOND_MS);
      await stage.look();
    }
    expect(await other.hold('we_2', null, UNTRIED)).toHaveProperty('heldUntilMs');
  });
});

it('an endpoint has one line, though an older one ended while another process had the lease', async () => {
  const stage = new Stage(16 * PLACES);
  const [first, second] = [deliveryTo(1, 1), deliveryTo(1, 2)];
  await stage.offer(first);
  const other = new EndpointLeases(stage.documents, stage.clock, { bytes: count => Buffer.alloc(count, 1) });
  await stage.pass(LEASE_MS);
  expect(await other.hold('we_1', null, UNTRIED)).toHaveProperty('lease');
  await stage.look();
  await stage.answer(first, null);
  stage.listed = [second];
  await stage.offer(second);
  await stage.pass(LEASE_MS);
  await stage.look();
  expect(stage.begun).toStrictEqual([first, second]);
  await stage.offer(second);
  expect(stage.begun).toStrictEqual([first, second]);
});

describe('what an offer costs', () => {
  const MERCHANTS = 400;
  const OFFERS = 400;

  it.each([
    ['no place is free', PLACES],
    ['many are free, and those who hold some may take no more', 4 * PLACES],
  ])('is the same however many merchants wait: %s', async (_, places) => {
    const stage = new Stage(places);
    for (let endpoint = 1; endpoint <= MERCHANTS; endpoint++) await stage.offer(deliveryTo(endpoint));
    const mayTake = jest.spyOn(Places.prototype, 'mayTake');
    for (let number = 2; number < OFFERS + 2; number++) {
      const offered = { deliveryId: deliveryTo(number, number), merchantId: `mch_${number}` };
      stage.dispatch.offer(offered, true);
    }
    expect(mayTake.mock.calls.length).toBeLessThanOrEqual(3 * places * OFFERS);
    mayTake.mockRestore();
  });
});
