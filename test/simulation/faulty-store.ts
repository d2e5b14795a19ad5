import type { NewEvent } from '../../src/kernel/event';
import { OutcomeUnknown, type ExpectedRevision, type ReadOptions } from '../../src/kernel/ports/event-store';
import { MemoryEventStore } from '../support/memory-event-store';

/** The process has died: nothing that it was about to do happens. */
export class Killed extends Error {
  constructor() {
    super('killed');
  }
}

export type Kill = { readonly afterAppends: number; readonly isWritten: boolean };

/** A log whose appends can lose their answer, or be the last thing that the process does. */
export class FaultyStore extends MemoryEventStore {
  isDead = false;
  private kill: { appendsLeft: number; isWritten: boolean } | null = null;
  private lost: 'written' | 'unwritten' | null = null;

  /** The process dies in the append that comes after so many others, with or without having written it. */
  killAfter({ afterAppends, isWritten }: Kill): void {
    this.kill = { appendsLeft: afterAppends, isWritten };
  }

  loseNextAnswer(lost: 'written' | 'unwritten'): void {
    this.lost = lost;
  }

  revive(): void {
    this.isDead = false;
    this.kill = null;
    this.lost = null;
  }

  override async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) {
    this.assertAlive();
    if (this.kill && this.kill.appendsLeft-- <= 0) {
      if (this.kill.isWritten) await super.append(stream, expected, events);
      this.isDead = true;
      throw new Killed();
    }
    const lost = this.lost;
    this.lost = null;
    if (lost === 'unwritten') throw new OutcomeUnknown('no answer');
    const answer = await super.append(stream, expected, events);
    if (lost === 'written') throw new OutcomeUnknown('no answer');
    return answer;
  }

  override readStream(stream: string, options?: ReadOptions) {
    return this.isDead ? Promise.reject(new Killed()) : super.readStream(stream, options);
  }

  private assertAlive(): void {
    if (this.isDead) throw new Killed();
  }
}
