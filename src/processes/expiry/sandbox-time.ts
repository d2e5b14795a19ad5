import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SECOND_MS } from '../../kernel/clock';
import type { MerchantContext } from '../../kernel/command-context';
import type { ClockStanding } from '../../vocabulary/clock-standing';
import type { Mode } from '../../vocabulary/modes';
import { invariant } from '../../kernel/invariant';
import type { LogPosition } from '../../kernel/log-position';
import { hasMerchantClocks, type MerchantClocks } from '../../kernel/merchant-clocks';
import type { EventStore } from '../../kernel/ports/event-store';
import type { LocalChains } from '../../kernel/ports/local-chain';
import type { Log } from '../../kernel/ports/log';
import type { NetworkId } from '../../vocabulary/networks';
import type { WritePath } from '../../kernel/write-path';
import { AdvanceSandboxClock, type ClockGoal } from '../../modules/sandbox/commands/advance-sandbox-clock.command';
import { sandboxClocks, standingIn } from '../../modules/sandbox/sandbox-clock.decider';

const POLL_MS = 25;
/** A call waits so long for watchers and read models; the rest follows by itself. */
const LONGEST_WAIT_MS = 10 * SECOND_MS;

export type SandboxTimeParts = {
  readonly writes: WritePath;
  readonly store: EventStore;
  readonly clock: MerchantClocks;
  readonly chains: LocalChains;
  /**
   * The watcher has seen all blocks of the network before this moment of the wall; null when the network is not
   * watched.
   */
  readonly coveredUntil: (mode: Mode, network: NetworkId) => Promise<number | null>;
  /** Resolves once the deadlines hold every event up to `position`; rejects after `timeoutMs`. */
  readonly deadlinesUpTo: (position: LogPosition, timeoutMs: number) => Promise<void>;
  readonly sweepMerchant: (merchantId: string, clock: ClockStanding) => Promise<void>;
  readonly log: Log;
};

/** Moves merchants' clocks of test mode, and lets the local chains follow. */
export class SandboxTime {
  constructor(private readonly parts: SandboxTimeParts) {}

  /**
   * Blocks that were mined before the call are seen before the clock moves, so they count at the earlier time. Then
   * blocks pass, and the deadlines that have fallen due are swept. Throws Refusal invalid_advance.
   */
  async advance(goal: ClockGoal, context: MerchantContext): Promise<ClockStanding> {
    const { writes, clock, sweepMerchant } = this.parts;
    const { merchantId, universe } = context;
    invariant(hasMerchantClocks(universe), 'a clock that can be advanced is of test mode');
    await this.passBlock();
    const { state } = await writes.execute(sandboxClocks, merchantId, { ...goal, wallMs: clock.now() }, context);
    const advanced = standingIn(state);
    await this.passBlock();
    await this.catchUp();
    await sweepMerchant(merchantId, advanced);
    return advanced;
  }

  /**
   * Mines a block on each local chain, or on one, and waits for its watcher. False where the watcher does not reach the
   * block in time.
   */
  async passBlock(networks: readonly NetworkId[] = [...this.parts.chains.keys()]): Promise<boolean> {
    const { chains, clock, log } = this.parts;
    const sinceMs = clock.now();
    await Promise.all(networks.map(async network => chains.get(network)?.mine(1)));
    const seen = await Promise.all(networks.map(network => this.isSeenSince(network, sinceMs)));
    const missing = networks.filter((_, index) => !seen[index]);
    if (missing.length > 0) log.warn({ networks: missing }, 'no watcher came to the newest block of a local chain');
    return missing.length === 0;
  }

  private async isSeenSince(network: NetworkId, sinceMs: number): Promise<boolean> {
    const { coveredUntil, clock } = this.parts;
    for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += POLL_MS) {
      if (((await coveredUntil('test', network)) ?? 0) > sinceMs) return true;
      await clock.wait(POLL_MS);
    }
    return false;
  }

  private async catchUp(): Promise<void> {
    const { store, deadlinesUpTo, log } = this.parts;
    try {
      await deadlinesUpTo(await store.lastPosition(), LONGEST_WAIT_MS);
    } catch (error) {
      log.warn({ err: error }, 'the deadlines are behind the log: what is due is met later');
    }
  }
}

@CommandHandler(AdvanceSandboxClock)
export class AdvanceSandboxClockHandler implements ICommandHandler<AdvanceSandboxClock> {
  constructor(private readonly time: SandboxTime) {}

  execute({ goal, context }: AdvanceSandboxClock): Promise<ClockStanding> {
    return this.time.advance(goal, context);
  }
}
