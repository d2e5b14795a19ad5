import { feeAccountsProjection } from '../../../projections/fee-accounts.projection';
import { feeEntriesProjection } from '../../../projections/fee-entries.projection';
import { UPCASTS } from '../../../src/composition/aggregates';
import { composeCore, type Core } from '../../../src/composition/core';
import { composeFees, type Fees } from '../../../src/composition/fees';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { parseStreamName, type NewEvent, type RecordedEvent } from '../../../src/kernel/event';
import { START_OF_LOG } from '../../../src/kernel/ports/event-store';
import type { IndexProgress } from '../../../src/kernel/ports/index-progress';
import { newestVersion } from '../../../src/kernel/upcasting';
import { applyEvents, type DocumentChange, type Projection } from '../../../src/kernel/projection';
import { merchants } from '../../../src/modules/merchants/merchant.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import type { LiveContext } from '../../../src/processes/fees/fee-billing';
import { loadConfig } from '../../../src/platform/config/config';
import type { Mode } from '../../../src/vocabulary/modes';
import { FaultyStore } from '../../simulation/faulty-store';
import { fixedBox } from '../../support/fixed-data-keys';
import { CountingEntropy } from '../../support/fixture-doubles';
import { ManualClock } from '../../support/manual-clock';
import { MemoryDocuments } from '../../support/memory-documents';
import { stagePorts } from '../../support/stage-ports';

export const NOON = Date.parse('2026-11-01T12:00:00.000Z');
export const MERCHANT = 'mch_00000000000000000000000001';
export const OTHER = 'mch_00000000000000000000000002';

const CATEGORIES = ['payment_intent', 'fee_accrual', 'fee_account', 'fee_invoice', 'merchant'];
const CONFIG = loadConfig({ SANDBOX_CHAINS: 'off', SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });

export function pi(number: number): string {
  return `pi_${String(number).padStart(26, '0')}`;
}

/** The ledger of two merchants, over stores in memory whose appends can be the last thing that a process does. */
export class FeeStage {
  readonly clock = new ManualClock(NOON);
  readonly store = new FaultyStore();
  readonly documents = new MemoryDocuments();
  readonly core: Core;
  readonly fees: Fees;
  private count = 0;

  private constructor() {
    const entropy = new CountingEntropy();
    const secretBox = fixedBox(Buffer.alloc(32, 7), entropy);
    const { clock, store, documents } = this;
    const core = composeCore(CONFIG, stagePorts({ clock, entropy, secretBox, store, documents }));
    // The lists hold the whole log as soon as somebody asks for its head.
    const progress: IndexProgress = {
      head: async () => (await this.project(), START_OF_LOG),
      holds: () => Promise.resolve(true),
    };
    this.core = { ...core, progress };
    this.fees = composeFees(this.core);
  }

  static async open(): Promise<FeeStage> {
    const stage = new FeeStage();
    for (const id of [MERCHANT, OTHER]) {
      const register = { type: 'register', name: 'Shop', email: `${id}@example.com` } as const;
      const context = { ...stage.context('live', id), universe: 'platform' } as const;
      await stage.core.writes.execute(merchants, id, register, context);
    }
    return stage;
  }

  context(universe: Mode, merchantId = MERCHANT): MerchantContext {
    const commandId = `command-${++this.count}`;
    const now = this.clock.now();
    return {
      ...{ commandId, startedAt: now, universe, merchantId, now },
      actor: { role: 'admin', type: 'system', id: 'cli:alice' },
      ...{ requestId: null, correlationId: commandId, causationId: null, ip: null },
    };
  }

  live(merchantId = MERCHANT): LiveContext {
    return { ...this.context('live', merchantId), universe: 'live' };
  }

  /** A payment with the history; answers its last event. */
  async payment(
    number: number,
    history: readonly PaymentIntentEvent[],
    { mode = 'live', merchantId = MERCHANT }: { readonly mode?: Mode; readonly merchantId?: string } = {},
  ): Promise<RecordedEvent> {
    const stream = `${mode}.payment_intent-${pi(number)}`;
    const metadata = {
      merchant_id: merchantId,
      mode,
      correlation_id: 'story',
      occurred_at: '2026-11-01T12:00:00.000Z',
    };
    const events = history.map(event => {
      const schema = newestVersion(UPCASTS.payment_intent ?? {}, event.type);
      return { ...event, id: `event-${++this.count}`, metadata: { ...metadata, schema } };
    });
    await this.store.append(stream, 'no_stream', events as unknown as readonly NewEvent[]);
    return (await this.store.readStream(stream)).at(-1) as RecordedEvent;
  }

  /** The group's messages for the whole log, each given twice. */
  async deliver(): Promise<void> {
    for (const event of await this.log()) {
      await this.fees.group.handle({ event, retries: 0 });
      await this.fees.group.handle({ event, retries: 1 });
    }
  }

  async events(type: string): Promise<readonly RecordedEvent[]> {
    return (await this.log()).filter(event => event.type === type);
  }

  /** The rows of the ledger as the read model has them, oldest first: kind, amount and currency. */
  async rows(mode: Mode = 'live', merchantId = MERCHANT): Promise<readonly string[]> {
    const changes = await this.changes(feeEntriesProjection);
    return [...changes.values()].flatMap(({ body }) =>
      body?.mode === mode && body.merchant_id === merchantId
        ? [`${body.kind} ${body.amount_minor_units} ${body.currency}`]
        : [],
    );
  }

  private async project(): Promise<void> {
    const { documents } = this;
    const collection = await documents.open(feeAccountsProjection);
    for (const { id, version, body } of (await this.changes(feeAccountsProjection)).values())
      if (body) await collection.put({ id, version, body });
  }

  private async changes<Body extends Projection>(projection: Body) {
    const events = (await this.log()).filter(({ stream }) =>
      projection.categories.includes(parseStreamName(stream).category),
    );
    return applyEvents(projection, events, () => null) as ReadonlyMap<string, DocumentChange>;
  }

  private async log(): Promise<readonly RecordedEvent[]> {
    const reading = new AbortController();
    const found: RecordedEvent[] = [];
    for await (const { events, live } of this.store.subscribe(
      { categories: CATEGORIES },
      START_OF_LOG,
      reading.signal,
    )) {
      found.push(...events);
      if (live) reading.abort();
    }
    return found;
  }
}
