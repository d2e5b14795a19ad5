import type { AccessReader } from '../../kernel/access-reader';
import { parseIsoTime, type Clock } from '../../kernel/clock';
import { streamName, type RecordedEvent } from '../../kernel/event';
import { NEVER_ADVANCED, type ClockStanding } from '../../vocabulary/clock-standing';
import type { Universe } from '../../vocabulary/modes';
import { hasMerchantClocks, type KnownClock, type MerchantClocks } from '../../kernel/merchant-clocks';
import type { EventStore } from '../../kernel/ports/event-store';
import { MAX_ADVANCES, sandboxClocks } from './sandbox-clock.decider';
import { aheadMsOf, type SandboxClockAdvanced } from './sandbox-clock.events';
import { sandboxClocksReadModel, standingOf } from './sandbox-clocks.read-model';

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

  async merchantNow(universe: Universe, merchantId: string | null, known?: KnownClock): Promise<number> {
    if (!hasMerchantClocks(universe) || merchantId === null) return this.wall.now();
    const clocks = await this.standings(universe, [merchantId], known);
    return this.wall.now() + (clocks.get(merchantId)?.aheadMs ?? 0);
  }

  async merchantTimeAt(
    universe: Universe,
    merchantId: string | null,
    wallMs: number,
    known?: KnownClock,
  ): Promise<number> {
    if (merchantId === null) return wallMs;
    return (await this.merchantTimesAt(universe, [merchantId], wallMs, known)).get(merchantId) ?? wallMs;
  }

  async merchantTimesAt(
    universe: Universe,
    merchantIds: readonly string[],
    wallMs: number,
    known?: KnownClock,
  ): Promise<ReadonlyMap<string, number>> {
    const times = new Map(merchantIds.map(merchantId => [merchantId, wallMs]));
    if (!hasMerchantClocks(universe)) return times;
    for (const [merchantId, clock] of await this.standings(universe, [...times.keys()], known))
      times.set(merchantId, await this.timeAt(merchantId, clock, wallMs));
    return times;
  }

  async renewed<Known extends KnownClock>(known: Known): Promise<Known> {
    const { universe, merchantId } = known;
    if (!hasMerchantClocks(universe) || merchantId === null) return known;
    const clocks = await this.standings(universe, [merchantId], undefined);
    return { ...known, clock: clocks.get(merchantId) };
  }

  /** In one round trip. */
  private async standings(
    universe: Universe,
    merchantIds: readonly string[],
    known: KnownClock | undefined,
  ): Promise<ReadonlyMap<string, ClockStanding>> {
    const isKnown = (id: string) =>
      known?.clock !== undefined && id === known.merchantId && universe === known.universe;
    const unread = merchantIds.filter(id => !isKnown(id));
    const asked = unread.map(id => ({ readModel: sandboxClocksReadModel, universe, id }));
    const read = asked.length === 0 ? [] : await this.access.read(asked);
    const clocks = new Map(unread.map((id, index) => [id, standingOf(read[index] ?? null)]));
    return new Map(merchantIds.map(id => [id, clocks.get(id) ?? known?.clock ?? NEVER_ADVANCED]));
  }

  private async timeAt(merchantId: string, { aheadMs, advancedAt }: ClockStanding, wallMs: number): Promise<number> {
    if (advancedAt === null) return wallMs;
    if (parseIsoTime(advancedAt) <= wallMs) return wallMs + aheadMs;
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

  /** The advances, newest first. */
  private async advances(merchantId: string, limit: number, from?: number) {
    const stream = streamName('test', sandboxClocks.category, merchantId);
    const options = { direction: 'backwards', limit, ...(from !== undefined && { from }) } as const;
    return (await this.store.readStream(stream, options)) as readonly RecordedEvent<SandboxClockAdvanced>[];
  }
}
