import { parseIsoTime, type Clock } from '../../kernel/clock';
import { streamName, type RecordedEvent, type Universe } from '../../kernel/event';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { EventStore } from '../../kernel/ports/event-store';
import { aheadMsOf, MAX_ADVANCES, sandboxClocks } from './sandbox-clock.decider';
import type { SandboxClockAdvanced } from './sandbox-clock.events';

/** Advances read at once on the way back to an earlier moment, which seldom has many after it. */
const PAGE = 16;

/**
 * Merchants' clocks by their streams. The newest event says how far a clock is ahead, so the present costs one read of
 * one event, in test mode only. There is no cache, which another instance's advance would make wrong.
 */
export class StoredMerchantClocks implements MerchantClocks {
  constructor(
    private readonly wall: Clock,
    private readonly store: EventStore,
  ) {}

  now(): number {
    return this.wall.now();
  }

  wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    return this.wall.wait(delayMs, signal);
  }

  async merchantNow(universe: Universe, merchantId: string | null): Promise<number> {
    if (universe !== 'test' || merchantId === null) return this.wall.now();
    const [newest] = await this.advances(merchantId, 1);
    return this.wall.now() + (newest ? aheadMsOf(newest.data) : 0);
  }

  async merchantTimeAt(universe: Universe, merchantId: string | null, wallMs: number): Promise<number> {
    if (universe !== 'test' || merchantId === null) return wallMs;
    for (let from: number | undefined, read = 0; read < MAX_ADVANCES; read += PAGE) {
      const page = await this.advances(merchantId, PAGE, from);
      const standing = page.find(({ data }) => parseIsoTime(data.advanced_at) <= wallMs);
      if (standing) return wallMs + aheadMsOf(standing.data);
      const oldest = page.at(-1)?.revision ?? 0;
      if (oldest === 0) break;
      from = oldest - 1;
    }
    return wallMs;
  }

  /** Newest first. */
  private async advances(merchantId: string, limit: number, from?: number) {
    const stream = streamName('test', sandboxClocks.category, merchantId);
    const options = { direction: 'backwards', limit, ...(from !== undefined && { from }) } as const;
    return (await this.store.readStream(stream, options)) as readonly RecordedEvent<SandboxClockAdvanced>[];
  }
}
