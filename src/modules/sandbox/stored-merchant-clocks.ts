import type { AccessReader } from '../../kernel/access-reader';
import { parseIsoTime, type Clock } from '../../kernel/clock';
import { streamName, type RecordedEvent } from '../../kernel/event';
import type { Universe } from '../../vocabulary/modes';
import { hasMerchantClocks, type MerchantClocks } from '../../kernel/merchant-clocks';
import type { EventStore } from '../../kernel/ports/event-store';
import { MAX_ADVANCES, sandboxClocks } from './sandbox-clock.decider';
import { aheadMsOf, type SandboxClockAdvanced } from './sandbox-clock.events';
import { sandboxClocksReadModel, type SandboxClockDocument } from './sandbox-clocks.read-model';

/** Advances read at once on the way back to an earlier moment, after which there are seldom many. */
const PAGE = 16;

/**
 * Merchants' clocks. An advance counts as soon as any process has answered it. The present costs one read of the
 * clock's access document, in test mode only. So does the time since the last advance; the time before it is read from
 * the clock's stream.
 */
export class StoredMerchantClocks implements MerchantClocks {
  constructor(
    private readonly wall: Clock,
    private readonly store: EventStore,
    private readonly access: AccessReader,
  ) {}

  now(): number {
    return this.wall.now();
  }

  wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    return this.wall.wait(delayMs, signal);
  }

  async merchantNow(universe: Universe, merchantId: string | null): Promise<number> {
    if (!hasMerchantClocks(universe) || merchantId === null) return this.wall.now();
    const clock = await this.clockOf(merchantId);
    return this.wall.now() + (clock ? aheadMsOf(clock) : 0);
  }

  async merchantTimeAt(universe: Universe, merchantId: string | null, wallMs: number): Promise<number> {
    if (!hasMerchantClocks(universe) || merchantId === null) return wallMs;
    const clock = await this.clockOf(merchantId);
    if (clock === null) return wallMs;
    if (parseIsoTime(clock.advanced_at) <= wallMs) return wallMs + aheadMsOf(clock);
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

  /** The clock after its last advance; null for a clock that was never advanced. */
  private async clockOf(merchantId: string): Promise<SandboxClockDocument | null> {
    const [clock] = await this.access.read([{ readModel: sandboxClocksReadModel, universe: 'test', id: merchantId }]);
    return clock && clock.body;
  }

  /** The advances, newest first. */
  private async advances(merchantId: string, limit: number, from?: number) {
    const stream = streamName('test', sandboxClocks.category, merchantId);
    const options = { direction: 'backwards', limit, ...(from !== undefined && { from }) } as const;
    return (await this.store.readStream(stream, options)) as readonly RecordedEvent<SandboxClockAdvanced>[];
  }
}
