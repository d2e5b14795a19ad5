import { MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import { fold } from '../../src/kernel/decider';
import { streamName } from '../../src/kernel/event';
import type { EventFilter } from '../../src/kernel/ports/event-store';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import { TOKENS } from '../../src/vocabulary/tokens';
import { SteppedClock } from '../projections/runner/stepped-clock';
import { SubscriptionCount } from '../projections/runner/subscription-count';
import { sharedAddress } from '../simulation/setting';
import { simulatedContext } from '../simulation/shops';
import { PAYER } from '../support/payment-fixture';
import { methodTermsNow, termsOf } from '../support/payment-terms';
import { RoundTrips, type RoundTrip } from '../support/round-trips';
import { embeddedEngine, OutageStage } from './outage-stage';

/** By then a payment is confirmed. */
const LONGEST_MS = 10 * MINUTE_MS;
/** By then all that follows from an event has been done. */
const PASSING_MS = 30 * SECOND_MS;
const WEBHOOKS = /webhook/;
const CONTROLS = /readStream (?:sanctioned_address|screening_settings|velocity_limit)$/;

/** Reads of streams that one payment took. */
export type PaymentReads = {
  readonly own: readonly RoundTrip[];
  /** A webhook reads for each of its endpoints, so these are counted apart. */
  readonly ofWebhooks: readonly RoundTrip[];
  /** Settings of administrators hold from the next payment on, so they are read anew. */
  readonly ofControls: readonly RoundTrip[];
};

/** Payments of one shop, in a whole service over the embedded log, with what the service asks the log for. */
export class CountedPayments {
  private readonly clock = new SteppedClock();
  private readonly engine = embeddedEngine(this.clock);
  private readonly subscriptions = new SubscriptionCount(this.engine.store);
  private readonly trips = new RoundTrips();
  private readonly stage = new OutageStage(this.clock, this.trips.log(this.subscriptions.store));
  private count = 0;

  async start(): Promise<void> {
    this.stage.chain.mineEmpty(20);
    await this.stage.start();
    await this.stage.pass(MINUTE_MS);
  }

  /** A payment's reads from its sighting to its confirmation. Throws where it is not confirmed within ten minutes. */
  async readsOfOne(): Promise<PaymentReads> {
    const { stage } = this;
    const number = ++this.count;
    const id = `pi_${String(number).padStart(26, '0')}`;
    const valueBaseUnits = await this.quoted(id);
    await stage.pass(PASSING_MS);
    const noted = await this.trips.noting(async () => {
      const contract = TOKENS['usdc-base'].contract.test;
      const txHash = `0x${String(number).padStart(64, '0')}`;
      stage.chain.mine({ txHash, from: PAYER, to: sharedAddress('base'), contract, valueBaseUnits });
      await this.confirmed(id);
      await stage.pass(PASSING_MS);
    });
    const reads = noted.filter(({ asked }) => asked.startsWith('readStream'));
    const ofControls = reads.filter(({ asked }) => CONTROLS.test(asked));
    const own = reads.filter(read => !isOfWebhooks(read) && !ofControls.includes(read));
    return { own, ofWebhooks: reads.filter(isOfWebhooks), ofControls };
  }

  /** The filter of each subscription to the log that the service holds. */
  get subscribed(): readonly EventFilter[] {
    return [...this.subscriptions.held];
  }

  async stop(): Promise<void> {
    await this.stage.stop();
    this.engine.leave();
  }

  /** The amount due. */
  private async quoted(id: string): Promise<bigint> {
    const { stage } = this;
    const { core, payments, shop } = stage;
    const context = (step: string) =>
      simulatedContext(`${id}/${step}`, 'api', 'test', shop.merchantId, stage.wall.now());
    const create = { type: 'create', terms: termsOf() } as const;
    await stage.passing(core.writes.execute(paymentIntents, id, create, context('create')));
    const walletId = shop.walletIds.base ?? '';
    const methodTerms = await stage.passing(methodTermsNow(core.access, 'test', shop.merchantId));
    await stage.passing(payments.selection.select(id, 'usdc-base', walletId, methodTerms, context('select')));
    const state = await this.state(id);
    if (state.status !== 'awaiting_payment') throw new Error(`${id} is ${state.status}`);
    return BigInt(state.quote.due_base_units);
  }

  private async confirmed(id: string): Promise<void> {
    const { stage } = this;
    const endMs = stage.wall.now() + LONGEST_MS;
    for (;;) {
      const { status } = await this.state(id);
      if (status === 'confirmed') return;
      if (stage.wall.now() >= endMs) throw new Error(`${id} is ${status}`);
      await stage.pass(10 * SECOND_MS);
    }
  }

  /** Read past the count. */
  private async state(id: string): Promise<PaymentIntent> {
    return fold(
      paymentIntents,
      (await this.engine.store.readStream(streamName('test', 'payment_intent', id))) as never,
    );
  }
}

function isOfWebhooks({ asked, by }: RoundTrip): boolean {
  return WEBHOOKS.test(asked) || WEBHOOKS.test(by);
}
