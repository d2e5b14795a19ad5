import { setMaxListeners } from 'node:events';
import type { Clock } from '../../src/kernel/clock';
import { Rounds } from './rounds';
import type { Prng } from './prng';

type Step = { readonly life: Life; readonly go: () => void };
type Timer = Step & { readonly dueMs: number };

/**
 * One run of a process, from its start until it is killed or the simulation ends. A dead process's next step never
 * happens.
 */
export class Life {
  isDead = false;
  /** Never aborts: nobody asks a process of the simulation to stop. */
  readonly signal = new AbortController().signal;

  constructor() {
    // Every loop of the process waits by it.
    setMaxListeners(0, this.signal);
  }

  /** The end as by `kill -9`: nothing of it goes on, not even to clean up. */
  kill(): void {
    this.isDead = true;
  }
}

/**
 * All time and all order of a simulation. Every caller of a port waits here, and the seed alone says whose turn is
 * next. Time passes only when it is told to. So the same seed gives the same run. Every interleaving of two processes'
 * port calls comes about under some seed.
 */
export class Scheduler {
  private steps: Step[] = [];
  private timers: Timer[] = [];
  private readonly rounds = new Rounds();
  /** The ends of waits, by the signal that cuts them short. A signal compares a new listener with all that it has. */
  private readonly ends = new WeakMap<AbortSignal, Set<() => void>>();
  taken = 0;

  constructor(
    private readonly prng: Prng,
    public nowMs: number,
  ) {}

  clockOf(life: Life): Clock {
    return { now: () => this.nowMs, wait: (delayMs, signal) => this.wait(life, delayMs, signal) };
  }

  /** Resolves when it is this caller's turn; never, when its process has died by then. */
  turn(life: Life): Promise<void> {
    return new Promise(go => this.steps.push({ life, go }));
  }

  /** Lets waiting callers go on, one at a time and in an order by chance, until nobody waits or so many have gone. */
  async run(limit: number): Promise<void> {
    await this.rounds.next();
    for (let gone = 0; gone < limit && this.steps.length > 0; gone++) {
      const index = this.prng.below(this.steps.length);
      const [step] = this.steps.splice(index, 1) as [Step];
      if (step.life.isDead) continue;
      this.taken++;
      step.go();
      // The caller's code runs to its next port call before any other has a turn.
      await this.rounds.next();
    }
  }

  get isQuiet(): boolean {
    return this.steps.every(({ life }) => life.isDead);
  }

  /** The moment at which the next timer of a living process falls due; null when none runs. */
  get nextTimerMs(): number | null {
    const due = this.timers.filter(({ life }) => !life.isDead).map(({ dueMs }) => dueMs);
    return due.length > 0 ? Math.min(...due) : null;
  }

  /** Time never runs back. */
  advanceTo(timeMs: number): void {
    this.nowMs = Math.max(this.nowMs, timeMs);
    const due = this.timers.filter(({ dueMs }) => dueMs <= this.nowMs);
    this.timers = this.timers.filter(({ dueMs, life }) => dueMs > this.nowMs && !life.isDead);
    this.steps.push(...due);
  }

  private wait(life: Life, delayMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    // A caller that waits for no time at all lets others have their turn.
    if (delayMs <= 0) return this.turn(life);
    return new Promise(resolve => {
      const end = (): void => {
        this.timers = this.timers.filter(other => other !== timer);
        resolve();
      };
      const ends = signal && this.endsOf(signal);
      const go = (): void => {
        ends?.delete(end);
        resolve();
      };
      const timer: Timer = { life, dueMs: this.nowMs + Math.max(delayMs, 0), go };
      this.timers.push(timer);
      ends?.add(end);
    });
  }

  private endsOf(signal: AbortSignal): Set<() => void> {
    const known = this.ends.get(signal);
    if (known) return known;
    const ends = new Set<() => void>();
    this.ends.set(signal, ends);
    signal.addEventListener('abort', () => ends.forEach(end => end()), { once: true });
    return ends;
  }
}
