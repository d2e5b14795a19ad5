import type { Documents } from '../../src/kernel/ports/documents';
import type { Screening } from '../../src/kernel/ports/screening';
import type { WebhookOutcome, WebhookRequest, WebhookSender } from '../../src/kernel/ports/webhook-sender';
import { COVERAGE_COLLECTION, coverageId, type CoverageDocument } from '../../src/watchers/coverage-ledger';
import { createLogger, type Logger } from '../../src/platform/logging/logger';
import { MemoryDocuments } from '../support/memory-documents';
import { MemoryEventStore } from '../support/memory-event-store';
import { ScriptedChain } from '../support/scripted-chain';
import type { Prng } from './prng';
import type { Life, Scheduler } from './scheduler';
import type { ProviderFaults } from './simulated-chain';
import { SimulatedDisk } from './simulated-store';

export type ChainOutside = {
  readonly network: 'base' | 'bnb';
  readonly chain: ScriptedChain;
  readonly blockMs: number;
  readonly faults: ProviderFaults;
  /** What the service has looked at: blocks by their hash, and ranges of final ones. */
  readonly scanned: {
    readonly hashes: Set<string>;
    readonly ranges: { readonly from_number: number; readonly to_number: number }[];
  };
  /** The covered height as it was seen from time to time. */
  readonly cursors: number[];
};

export type ReceivedWebhook = {
  readonly url: string;
  readonly id: string;
  readonly type: string;
  readonly statusCode: number | null;
};

const NO_FAULTS: ProviderFaults = { unavailable: 0, unanswered: 0, disagreeing: 0, lagging: 0, lagBlocks: 0 };

/** All that a process of the service does not hold: disks, chains, receivers, a screening service. It outlives every kill. */
export class Outside {
  readonly disk = new SimulatedDisk(new MemoryEventStore());
  readonly documents: Documents = new MemoryDocuments();
  readonly chains: readonly ChainOutside[];
  readonly verdicts = new Map<string, 'clear' | 'high_risk' | 'silent'>();
  readonly received: ReceivedWebhook[] = [];
  /** Percent of deliveries that a receiver takes, by its address; all of them where none is named. */
  readonly health = new Map<string, number>();
  /** What must never come about, as it came about. */
  readonly unexpected: string[] = [];
  readonly logger: Logger;

  constructor(
    private readonly scheduler: Scheduler,
    readonly prng: Prng,
  ) {
    this.chains = [this.chainOf('base', 2_000), this.chainOf('bnb', 1_000)];
    this.logger = createLogger({ level: 'error' }, { write: line => this.noteLine(line) });
  }

  /** Looks at how far each network is covered, as anybody could at this moment. */
  async noteCursors(): Promise<void> {
    const coverage = await this.documents.open<CoverageDocument>(COVERAGE_COLLECTION);
    for (const { network, cursors } of this.chains) {
      const covered = await coverage.get(coverageId('test', network));
      if (covered) cursors.push(covered.body.number);
    }
  }

  sender(life: Life): WebhookSender {
    return { send: request => this.receive(request, life) };
  }

  screening(life: Life): Screening {
    return {
      screen: async ({ payer }) => {
        await this.scheduler.turn(life);
        const verdict = this.verdicts.get(payer) ?? 'clear';
        if (verdict === 'silent') throw new Error('the screening does not answer');
        return { verdict, source: 'simulated', reference: null };
      },
    };
  }

  private chainOf(network: 'base' | 'bnb', blockMs: number): ChainOutside {
    const chain = new ScriptedChain(this.scheduler.nowMs, blockMs);
    const scanned = { hashes: new Set<string>(), ranges: [] };
    return { network, chain, blockMs, faults: { ...NO_FAULTS }, scanned, cursors: [] };
  }

  /** A receiver may have taken what the sender never learns of: at least once is all that is promised. */
  private async receive(request: WebhookRequest, life: Life): Promise<WebhookOutcome> {
    await this.scheduler.turn(life);
    const isTaken = this.prng.chance(this.health.get(request.url) ?? 100);
    const statusCode = isTaken ? 200 : this.prng.pick([500, 302, null]);
    const { id, type } = JSON.parse(request.body) as { id: string; type: string };
    this.received.push({ url: request.url, id, type, statusCode });
    await this.scheduler.turn(life);
    return { statusCode, error: statusCode === null ? 'timeout' : null, latencyMs: 5, responseExcerpt: '' };
  }

  private noteLine(line: string): void {
    if (line.includes('InvariantViolation')) this.unexpected.push(line);
  }
}
