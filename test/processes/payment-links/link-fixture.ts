import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MerchantContext } from '../../../src/kernel/command-context';
import type { NewEvent, RecordedEvent } from '../../../src/kernel/event';
import {
  START_OF_LOG,
  WrongExpectedRevision,
  type EventStore,
  type ExpectedRevision,
} from '../../../src/kernel/ports/event-store';
import { forwardingStore } from '../../../src/kernel/forwarding-store';
import { WritePath } from '../../../src/kernel/write-path';
import { OpenPaymentLink } from '../../../src/modules/payment-links/commands/open-payment-link.command';
import { VELOCITY_COUNTS, VelocityCounts } from '../../../src/modules/controls/velocity-counts';
import type { Counts } from '../../../src/modules/controls/velocity-window';
import { paymentLinks, type LinkTerms } from '../../../src/modules/payment-links/payment-link.decider';
import type { PaymentLinkUsed } from '../../../src/modules/payment-links/payment-link.events';
import { LinkPayments } from '../../../src/processes/payment-links/link-payments';
import { refuse } from '../../../src/vocabulary/errors';
import { TOKEN_IDS } from '../../../src/vocabulary/tokens';
import type { Prng } from '../../simulation/prng';
import { FaultyStore } from '../../simulation/faulty-store';
import { fixedBox } from '../../support/fixed-data-keys';
import { CountingEntropy } from '../../support/fixture-doubles';
import { ManualClock } from '../../support/manual-clock';
import type { VelocityLimit } from '../../../src/vocabulary/payment-limits';
import { MemoryDocuments } from '../../support/memory-documents';
import { DEFAULT_PAYMENT_LIMITS } from '../../support/payment-limits';

export const NOON = Date.parse('2026-11-01T12:00:00.000Z');
export const LINK = 'plink_00000000000000000000000000';
const MERCHANT = 'mch_00000000000000000000000000';

export const TERMS: LinkTerms = {
  kind: 'fixed',
  currency: 'EUR',
  currency_decimals: 2,
  amount_minor_units: '2500',
  min_minor_units: null,
  max_minor_units: null,
  description: 'A ticket',
  metadata: { order: '42' },
  success_url: null,
  max_uses: null,
  expires_at: null,
};

/** One engine and its documents, and processes above it that open payments from links. */
export class LinkFixture {
  readonly store = new FaultyStore();
  readonly clock = new ManualClock(NOON);
  private readonly writes = new WritePath(this.store, this.clock, () => Promise.resolve());
  private readonly documents = new MemoryDocuments();
  private readonly entropy = new CountingEntropy();
  private readonly box = fixedBox(Buffer.alloc(32, 7), this.entropy);
  /** Whether a rate is known. */
  isQuotable = true;
  isPaused = false;
  conflicts = 0;

  /** The limit is the merchant's; null where nobody has set one. */
  constructor(private readonly velocity: VelocityLimit | null = null) {}

  /** A process of its own: it shares nothing with the others but the engine and the documents. */
  process(store: EventStore = this.store, clock = this.clock): LinkPayments {
    const writes = new WritePath(store, clock, () => Promise.resolve());
    const rates = {
      isListed: () => true,
      listedCurrencies: () => ['EUR'],
      quote: () => {
        if (!this.isQuotable) throw refuse('insufficient_rate_sources');
        return { rate: '1.08', dollarRate: '1', observations: [] };
      },
    };
    const { box: secretBox, entropy } = this;
    const opened = VelocityCounts.open(this.documents, clock);
    const velocity: Pick<VelocityCounts, 'counting'> = {
      counting: async (limit, subject, counted, work) => (await opened).counting(limit, subject, counted, work),
    };
    return new LinkPayments({ writes, store, rates: rates as never, velocity, secretBox, entropy });
  }

  /** The engine as seen from far away: answers come late and in any order, and conflicts are counted. */
  distant(chance: Prng): EventStore {
    const pause = async () => {
      for (let turns = chance.below(6); turns > 0; turns--) await nextTurn();
    };
    const append = async (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) => {
      await pause();
      try {
        return await this.store.append(stream, expected, events);
      } catch (error) {
        if (error instanceof WrongExpectedRevision) this.conflicts++;
        throw error;
      } finally {
        await pause();
      }
    };
    return { ...forwardingStore(this.store), append };
  }

  context(commandId: string, changes: Partial<MerchantContext> = {}): MerchantContext {
    const now = this.clock.now();
    return {
      commandId,
      isFirstTry: true,
      startedAt: now,
      universe: 'test',
      merchantId: MERCHANT,
      actor: { role: 'api', type: 'api_key', id: 'key_1' },
      now,
      requestId: 'req_1',
      correlationId: 'req_1',
      causationId: null,
      ip: null,
      ...changes,
    };
  }

  async create(changes: Partial<LinkTerms> = {}): Promise<void> {
    const command = { type: 'create', terms: { ...TERMS, ...changes } } as const;
    await this.writes.execute(paymentLinks, LINK, command, this.context('create'));
  }

  async deactivate(): Promise<void> {
    await this.writes.execute(paymentLinks, LINK, { type: 'deactivate' }, this.context('deactivate'));
  }

  open(payments: LinkPayments, context: MerchantContext) {
    const { isPaused, velocity } = this;
    const limits = { ...DEFAULT_PAYMENT_LIMITS, velocity };
    const settings = { enabledTokens: TOKEN_IDS, defaultSuccessUrl: null, isPaused, limits };
    return payments.open(new OpenPaymentLink({ link: LINK, amountMinorUnits: null, settings }, context));
  }

  /** The group's consumer reads the whole log. */
  async finish(payments: LinkPayments = this.process()): Promise<void> {
    for (const event of await this.all('payment_link')) await payments.handle({ event, retries: 0 });
  }

  async uses(): Promise<readonly RecordedEvent<PaymentLinkUsed>[]> {
    const events = await this.all('payment_link');
    return events.filter(({ type }) => type === 'PaymentLinkUsed') as RecordedEvent<PaymentLinkUsed>[];
  }

  /** The payments that count for the merchant's limit. */
  async counted(): Promise<number> {
    const counts = await (await this.documents.open<Counts>(VELOCITY_COUNTS)).get(`test/merchant/${MERCHANT}`);
    return (counts?.body.slices ?? []).reduce((sum, { count }) => sum + count, 0);
  }

  payments(): Promise<readonly RecordedEvent[]> {
    return this.all('payment_intent');
  }

  private async all(category: string): Promise<readonly RecordedEvent[]> {
    const reading = new AbortController();
    const found: RecordedEvent[] = [];
    for await (const { events, live } of this.store.subscribe(
      { categories: [category] },
      START_OF_LOG,
      reading.signal,
    )) {
      found.push(...events);
      if (live) reading.abort();
    }
    return found;
  }
}
