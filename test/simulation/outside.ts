import { parseIsoTime } from '../../src/kernel/clock';
import { invariant } from '../../src/kernel/invariant';
import type { BlockHeader, Receipt } from '../../src/kernel/ports/chain';
import type { Documents } from '../../src/kernel/ports/documents';
import type { Screening } from '../../src/kernel/ports/screening';
import type { WebhookOutcome, WebhookRequest, WebhookSender } from '../../src/kernel/ports/webhook-sender';
import { COVERAGE_COLLECTION, coverageId, type CoverageDocument } from '../../src/watchers/coverage-record';
import { createLogger, type Logger } from '../../src/platform/logging/logger';
import type { NetworkId } from '../../src/vocabulary/networks';
import { MemoryDocuments } from '../support/memory-documents';
import { MemoryEventStore } from '../support/memory-event-store';
import { ForkingChain } from './forking-chain';
import type { Prng } from './prng';
import type { Life, Scheduler } from './scheduler';
import type { ProviderFaults } from './simulated-chain';
import { NO_NODE_FAULTS, type NodeFaults } from './simulated-node';
import type { WritingFaults } from './simulated-documents';
import { SimulatedDisk } from './simulated-store';
import type { Setting } from './setting';

export type ChainOutside = {
  readonly network: NetworkId;
  readonly chain: ForkingChain;
  readonly blockMs: number;
  readonly faults: ProviderFaults;
  /** The trouble of each provider, where the network is reached by a pool of them. */
  readonly nodes: readonly NodeFaults[];
  /** Which of them have shown a block whole, by its hash. */
  readonly shownBy: Map<string, Set<number>>;
  /** Hashes of the blocks that the service has looked at, save those whose transfers one provider alone left out. */
  readonly scanned: Set<string>;
  /** The covered height as it was seen from time to time. */
  readonly cursors: number[];
  /** The answer of a provider on a fork that no other follows any more. */
  readonly staleReceipts: Map<string, Receipt>;
  readonly staleHeaders: Map<number, BlockHeader>;
  /** Since when the second provider has no receipts; null while it has. */
  outOfStep: Moment | null;
  /** Blocks with transactions in them that a reorganisation took: when that was, by their hash. */
  readonly left: Map<string, Moment>;
  /** An action for the moment at which the block of a height has been read in a range; null where there is none. */
  trap: Trap | null;
  /** The height from which on each reorganisation replaced the blocks, in the order of their moments. */
  readonly reorganisations: (Moment & { readonly from: number })[];
};

/** `isEarly`: as soon as one provider has read the range, before it is asked for anything else and any other is. */
export type Trap = { readonly height: number; readonly isEarly: boolean; readonly spring: () => void };

/** `pass` counts the times at which everything under way came to its end. */
export type Moment = { readonly timeMs: number; readonly pass: number };

export type ReceivedWebhook = {
  readonly url: string;
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly receivedAmount: string;
  readonly statusCode: number | null;
};

/** Blocks that a healthy chain calls final lie so far behind its head. */
export const FINALITY_LAG = 2;
/** Made before the service looks at the chain for the first time. */
export const FORMER_BLOCKS = 30;
/** Tron's are three seconds apart, Base's two; BNB's less than one. */
const BLOCK_MS: Readonly<Record<NetworkId, number>> = { tron: 3_000, base: 2_000, bnb: 1_000 };
export const NO_FAULTS: ProviderFaults = {
  unavailable: 0,
  unanswered: 0,
  stale: 0,
  disagreeing: 0,
  lagging: 0,
  lagBlocks: 0,
  alone: null,
};

export const NOT_LATE = { category: null, lateMs: 0 } as const;

type WebhookBody = {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly status: string; readonly received_amount: string };
};

/**
 * The world around the service's processes: disks, chains, receivers, a screening service. This world outlives every
 * kill.
 */
export class Outside {
  readonly disk = new SimulatedDisk(new MemoryEventStore());
  readonly documents: Documents = new MemoryDocuments();
  readonly writing: WritingFaults = { refused: 0 };
  /** The lag of a category's projections behind the log; of every projection where the category is null. */
  late: { readonly category: string | null; readonly lateMs: number } = NOT_LATE;
  readonly chains: readonly ChainOutside[];
  readonly verdicts = new Map<string, 'clear' | 'high_risk' | 'silent'>();
  readonly received: ReceivedWebhook[] = [];
  /** Looks at each webhook as it reaches its receiver. */
  onWebhook: (url: string) => void = () => undefined;
  /** Percent of deliveries that a receiver takes, by its address; all of them where none is named. */
  readonly health = new Map<string, number>();
  /** Violations that came about during the run. */
  readonly unexpected: string[] = [];
  readonly logger: Logger;

  constructor(
    private readonly scheduler: Scheduler,
    readonly prng: Prng,
    readonly setting: Setting,
  ) {
    this.chains = setting.networks.map(network => this.chainOf(network));
    this.logger = createLogger({ level: 'error' }, { write: line => this.noteLine(line) });
  }

  /** Looks at how far each network is covered, as anybody could at this moment. */
  async noteCursors(): Promise<void> {
    const coverage = await this.documents.open<CoverageDocument>(COVERAGE_COLLECTION);
    for (const { network, cursors } of this.chains) {
      const covered = await coverage.get(coverageId(this.setting.mode, network));
      if (covered) cursors.push(covered.body.number);
    }
  }

  /** Up to when a network is covered, as anybody can read; null where nobody has watched it yet. */
  async coveredMs(network: NetworkId): Promise<number | null> {
    const coverage = await this.documents.open<CoverageDocument>(COVERAGE_COLLECTION);
    const covered = await coverage.get(coverageId(this.setting.mode, network));
    return covered && parseIsoTime(covered.body.covered_until);
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

  chainOn(network: NetworkId): ChainOutside {
    const found = this.chains.find(chain => chain.network === network);
    invariant(found, `nobody watches ${network} here`);
    return found;
  }

  private chainOf(network: NetworkId): ChainOutside {
    const blockMs = BLOCK_MS[network];
    // No chain's time is ahead of the wall's.
    const startMs = this.scheduler.nowMs - FORMER_BLOCKS * blockMs;
    const chain = new ForkingChain(startMs, blockMs, FINALITY_LAG);
    const scanned = new Set<string>();
    const faults = { ...NO_FAULTS };
    const stale = { staleReceipts: new Map<string, Receipt>(), staleHeaders: new Map<number, BlockHeader>() };
    return {
      network,
      chain,
      blockMs,
      faults,
      nodes: Array.from({ length: this.setting.nodes }, () => ({ ...NO_NODE_FAULTS })),
      shownBy: new Map(),
      scanned,
      cursors: [],
      ...stale,
      outOfStep: null,
      left: new Map(),
      trap: null,
      reorganisations: [],
    };
  }

  /** A receiver may have taken a message without the sender's knowledge: at least once is all that is promised. */
  private async receive(request: WebhookRequest, life: Life): Promise<WebhookOutcome> {
    await this.scheduler.turn(life);
    this.onWebhook(request.url);
    const isTaken = this.prng.chance(this.health.get(request.url) ?? 100);
    const statusCode = isTaken ? 200 : this.prng.pick([500, 302, null]);
    const { id, type, data } = JSON.parse(request.body) as WebhookBody;
    const { status, received_amount: receivedAmount } = data;
    this.received.push({ url: request.url, id, type, status, receivedAmount, statusCode });
    await this.scheduler.turn(life);
    return { statusCode, error: statusCode === null ? 'timeout' : null, latencyMs: 5, responseExcerpt: '' };
  }

  private noteLine(line: string): void {
    if (line.includes('InvariantViolation')) this.unexpected.push(line);
  }
}
