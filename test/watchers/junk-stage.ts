import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewEvent, RecordedEvent } from '../../src/kernel/event';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { ManualClock } from '../support/manual-clock';
import { MemoryEventStore } from '../support/memory-event-store';
import { NOON, PaymentFixture } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';

/** BNB makes a block in this time. */
export const BLOCK_MS = 450;
export const POLL_MS = 3_000;
const BASE_UNITS_PER_CENT = 10n ** 16n;
const STREAM = /^test\.transfer-bnb:0x([0-9a-f]+):0$/;

/** Waits do not pass time here, but each lets the event loop turn. */
class TurningClock extends ManualClock {
  override wait(): Promise<void> {
    return nextTurn();
  }
}

/** Every append takes time, and notes which transfers have a stream. */
class SlowStore extends MemoryEventStore {
  appendMs = 0;
  readonly recorded = new Set<number>();
  clock: ManualClock | null = null;

  override async append(stream: string, revision: number | 'no_stream', events: readonly NewEvent[]) {
    if (this.clock) this.clock.timeMs += this.appendMs;
    const appended = await super.append(stream, revision, events);
    const number = STREAM.exec(stream)?.[1];
    if (number !== undefined) this.recorded.add(Number.parseInt(number, 16));
    return appended;
  }
}

/** Documents of transfers are left out: nobody here reads them, and there are many. */
class LeanFixture extends PaymentFixture {
  override async project(stream: string, history: readonly RecordedEvent[]): Promise<void> {
    if (!STREAM.test(stream)) await super.project(stream, history);
  }
}

/** A chain whose blocks come by the clock, each with worthless transfers while a storm lasts. */
export class JunkStage {
  readonly store = new SlowStore();
  readonly clock = new TurningClock(NOON);
  readonly chain = new ScriptedChain(NOON, BLOCK_MS);
  readonly fixture = new LeanFixture({ store: this.store, clock: this.clock, chain: this.chain, network: 'bnb' });
  /** Block and wall's moment of each transfer that was sent. */
  readonly sent = new Map<number, { readonly block: number; readonly minedMs: number }>();
  junkInBlock = 0;
  onMine: () => void = () => undefined;
  private last = 0;
  private readonly waiting: { readonly number: number; readonly value: bigint }[] = [];

  /** `appendMs`: how long one append takes the engine. */
  async start(appendMs: number): Promise<NetworkWatcher> {
    this.store.clock = this.clock;
    this.chain.mineEmpty(40);
    this.clock.timeMs += 40 * BLOCK_MS;
    const watcher = await this.fixture.watcher();
    await watcher.tick();
    this.store.appendMs = appendMs;
    return watcher;
  }

  /** Into the next block; answers the transfer's number. */
  pay(value: bigint): number {
    const number = ++this.last;
    this.waiting.push({ number, value });
    return number;
  }

  /** The blocks that are due by the clock. */
  mineDue(): void {
    while (NOON + (this.chain.height + 1) * BLOCK_MS <= this.clock.timeMs) this.mine();
  }

  mine(): void {
    const transfers = this.waiting.splice(0);
    const minedMs = NOON + (this.chain.height + 1) * BLOCK_MS;
    for (let transfer = 0; transfer < this.junkInBlock; transfer++)
      transfers.unshift({ number: ++this.last, value: BigInt(1_000_000 + this.last) * BASE_UNITS_PER_CENT });
    const { number: block } = this.chain.mine(
      ...transfers.map(({ number, value }) => this.fixture.transfer(hashOf(number), value)),
    );
    for (const { number } of transfers) this.sent.set(number, { block, minedMs });
    this.onMine();
  }

  /** The lowest block that holds a transfer without a stream. */
  get lowestUnrecorded(): number {
    const open = [...this.sent].filter(([number]) => !this.store.recorded.has(number));
    return Math.min(Infinity, ...open.map(([, { block }]) => block));
  }

  get isAllRecorded(): boolean {
    return this.store.recorded.size === this.sent.size;
  }

  /** The time from the transfer's block to the record of the payment's event; Infinity where it was not recorded. */
  async delayMs(id: string, type: string, transfer: number): Promise<number> {
    const event = (await this.fixture.events(id)).find(each => each.type === type);
    const minedMs = this.sent.get(transfer)?.minedMs ?? 0;
    return event ? Date.parse(event.metadata.recorded_at) - minedMs : Infinity;
  }
}

export function hashOf(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}
