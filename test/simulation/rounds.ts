/** Node looks at its timers and sockets once in so many rounds: a look takes longer than most rounds do. */
const ROUNDS_AT_ONCE = 64;

/**
 * Rounds of node's event loop. A round ends when all code that could go on has come to its next wait. A rejection that
 * nobody handles by then is told, as after any other round.
 */
export class Rounds {
  private asked = 0;
  private goOn: (() => void) | null = null;

  /** Resolves at the end of this round. One caller at a time waits. */
  next(): Promise<void> {
    if (this.goOn !== null) throw new Error('one caller at a time waits for a round');
    if (this.asked === 0) this.ask();
    return new Promise(resolve => (this.goOn = resolve));
  }

  /** Node ends a round between any two of these, also where it has been asked for all of them at once. */
  private ask(): void {
    this.asked = ROUNDS_AT_ONCE;
    for (let round = 0; round < ROUNDS_AT_ONCE; round++) {
      setImmediate(() => {
        this.asked -= 1;
        const { goOn } = this;
        this.goOn = null;
        goOn?.();
      });
    }
  }
}
