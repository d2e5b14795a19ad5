import { randomUUID } from 'node:crypto';
import { ApiStage, type ApiInstance } from './api-stage';
import { RoundTrips } from './round-trips';
import type { StagedMerchant } from './staged-merchant';

/** Uses of keys are written once a second, for all requests together. */
const WRITTEN_BEHIND = 'api_key_uses';

/** A merchant who calls the service's API in steady state, and the round trips of each call to the engines. */
export class CountedApi {
  private constructor(
    readonly stage: ApiStage,
    readonly instance: ApiInstance,
    readonly merchant: StagedMerchant,
    private readonly trips: RoundTrips,
  ) {}

  static async open(options: { readonly takesLive?: true } = {}): Promise<CountedApi> {
    const trips = new RoundTrips();
    const stage = await ApiStage.open();
    const instance = await stage.startInstance({ ...options, trips });
    const merchant = await stage.register(instance);
    const counted = new CountedApi(stage, instance, merchant, trips);
    // A process reads some documents once; the first two requests do that.
    await merchant.createIntent();
    await counted.createIntentOnce();
    return counted;
  }

  /** A payment created with an Idempotency-Key that is new. */
  createIntentOnce() {
    return this.merchant.createIntent({}, { headers: { 'idempotency-key': randomUUID() } });
  }

  /** The round trips of `work`, in order, without those that a process makes once a second. */
  async asked(work: () => Promise<unknown>): Promise<readonly string[]> {
    return (await this.trips.during(work)).filter(each => !each.endsWith(WRITTEN_BEHIND));
  }

  close(): Promise<void> {
    return this.stage.close();
  }
}
