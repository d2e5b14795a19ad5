import { MINUTE_MS, SECOND_MS, type Clock } from '../../src/kernel/clock';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Documents } from '../../src/kernel/ports/documents';
import { START_OF_LOG, type EventStore } from '../../src/kernel/ports/event-store';
import type { Log } from '../../src/kernel/ports/log';
import type { Projection } from '../../src/kernel/projection';
import { Checkpoints } from './checkpoints';

const LOOK_EVERY_MS = 5 * SECOND_MS;
/** A projection whose checkpoint has stood for this long while the log is ahead of it is stalled. */
export const STALLED_AFTER_MS = MINUTE_MS / 2;

type WatchParts = {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  readonly projections: readonly Projection[];
};

/** `sinceMs` leaves out the time of looks that failed. */
type Standing = { readonly position: LogPosition; sinceMs: number; isTold: boolean };

/** Looks whether checkpoints move while the log is ahead of them, in whichever process the projections run. */
export class ProjectionWatch {
  private readonly standing = new Map<string, Standing>();
  private checkpoints: Checkpoints | null = null;

  constructor(private readonly parts: WatchParts) {}

  /** Resolves when `signal` aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.parts;
    let lookedAtMs = clock.now();
    while (!signal.aborted) {
      // Other parts tell of an engine that is away; the log's head is not known then.
      await this.look().catch(() => this.leaveOut(clock.now() - lookedAtMs));
      lookedAtMs = clock.now();
      await clock.wait(LOOK_EVERY_MS, signal);
    }
  }

  /** Names of the projections that stand still. */
  get stalled(): readonly string[] {
    return [...this.standing].filter(([, one]) => this.isStalled(one)).map(([name]) => name);
  }

  private async look(): Promise<void> {
    const { store, documents, clock, log, projections } = this.parts;
    const head = await store.lastPosition();
    const checkpoints = (this.checkpoints ??= await Checkpoints.open(documents, clock));
    for (const { name } of projections) {
      const position = (await checkpoints.load(name))?.body.position ?? START_OF_LOG;
      const before = this.standing.get(name);
      if (position >= head) this.standing.delete(name);
      else if (before?.position !== position)
        this.standing.set(name, { position, sinceMs: clock.now(), isTold: false });
      else if (this.isStalled(before) && !before.isTold) {
        before.isTold = true;
        log.error({ projection: name, position, head }, 'a projection stands still though the log is ahead of it');
      }
    }
  }

  private leaveOut(unknownMs: number): void {
    const now = this.parts.clock.now();
    for (const one of this.standing.values()) one.sinceMs = Math.min(one.sinceMs + unknownMs, now);
  }

  private isStalled({ sinceMs }: Standing): boolean {
    return this.parts.clock.now() - sinceMs >= STALLED_AFTER_MS;
  }
}
