import { refuse } from '../../vocabulary/errors';

type Waiting = { readonly begin: () => void; readonly giveUp: () => void };
type TurnLimits = {
  /** Work under way at once. */
  readonly running: number;
  /** Work that may wait, over all lines. */
  readonly waiting: number;
  /** Work of one line that may wait. */
  readonly inLine: number;
};

const RETRY_AFTER_SECONDS = 5;

/**
 * Lets costly work run a few at a time. The work of each client's network waits in a line of its own, and the lines
 * take turns. So nobody's flood delays others by more than one work of each other line.
 */
export class FairTurns {
  private running = 0;
  private waiting = 0;
  /** The line whose turn is next comes first. No line is empty. */
  private readonly lines = new Map<string, Waiting[]>();

  constructor(private readonly limits: TurnLimits) {}

  /** Throws Refusal rate_limit where too much work waits. */
  async take<Result>(line: string, work: () => Promise<Result>): Promise<Result> {
    if (this.running < this.limits.running) this.running += 1;
    else await this.wait(line);
    try {
      return await work();
    } finally {
      this.pass();
    }
  }

  private wait(line: string): Promise<void> {
    const own = this.lines.get(line) ?? [];
    if (own.length >= this.limits.inLine) throw tooMuch();
    if (this.waiting >= this.limits.waiting) this.makeRoom(own.length);
    return new Promise((resolve, reject) => {
      own.push({ begin: resolve, giveUp: () => reject(tooMuch()) });
      this.lines.set(line, own);
      this.waiting += 1;
    });
  }

  /** The newest of the longest line makes room for a shorter line. */
  private makeRoom(length: number): void {
    const longest = [...this.lines.values()].reduce((one, other) => (other.length > one.length ? other : one));
    if (longest.length <= length + 1) throw tooMuch();
    longest.pop()?.giveUp();
    this.waiting -= 1;
  }

  /** The turn passes straight to the next in line, so a newcomer can't slip in between. */
  private pass(): void {
    const [first] = this.lines;
    if (!first) {
      this.running -= 1;
      return;
    }
    const [line, queue] = first;
    const next = queue.shift() as Waiting;
    this.waiting -= 1;
    this.lines.delete(line);
    if (queue.length > 0) this.lines.set(line, queue);
    next.begin();
  }
}

function tooMuch(): Error {
  const message = 'Too many passwords are being checked at this moment.';
  return refuse('rate_limit', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
