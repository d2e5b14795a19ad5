import { BoundedMap } from '../../kernel/bounded-map';
import { isoTime, MINUTE_MS, SECOND_MS, type Clock } from '../../kernel/clock';
import type { Collection, CollectionSpec, Document, Documents } from '../../kernel/ports/documents';
import { TurnsByKey } from '../../kernel/turns-by-key';
import { isRefusal, refuse, type Refusal } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { VelocityLimit } from '../../vocabulary/payment-limits';
import type { VelocitySubject } from './velocity-limit.events';
import {
  countsAt,
  endOf,
  hasRoom,
  isCounted,
  isExceeded,
  NOTHING_COUNTED,
  roomInMs,
  withCount,
  withoutCount,
  type Counted,
  type Counts,
} from './velocity-window';

/** Where several processes count at once, one of them succeeds in each round. */
const GUARDED_TRIES = 16;
const RIVALS_RETRY_SECONDS = 1;
/** Documents as this process has last seen them, a few kilobytes each. */
const KNOWN_LIMIT = 2_000;
/** A process looks for lapsed documents so often, and removes several of them. */
const CLEANED_EVERY_MS = MINUTE_MS;
const CLEANED_AT_A_TIME = 100;

/** `lapses_at` is by the wall's clock: nothing counts any more by then. */
type CountsDocument = Counts & { readonly lapses_at: string };

export const VELOCITY_COUNTS: CollectionSpec = { name: 'velocity_counts', indexes: { by_lapse: ['lapses_at', 'id'] } };

/** One subject of a kind, in a mode. */
export type Subject = { readonly mode: Mode; readonly kind: VelocitySubject; readonly id: string };

type Change<Answer> = (counts: Counts) => { readonly counts: Counts | null; readonly answer: Answer };

/**
 * Counts payments by subject against the limit that stands. Each count is one guarded write of the subject's document,
 * so that no two processes count past each other. A process begins from the document as it wrote it last, and reads it
 * only where another process was faster. Without a limit nothing is asked and nothing is written.
 */
export class VelocityCounts {
  private readonly known = new BoundedMap<string, Document<CountsDocument> | null>(KNOWN_LIMIT);
  private readonly turns = new TurnsByKey();
  private cleanedAtMs = 0;

  private constructor(
    private readonly documents: Collection<CountsDocument>,
    private readonly clock: Clock,
  ) {}

  static async open(documents: Documents, clock: Clock): Promise<VelocityCounts> {
    return new VelocityCounts(await documents.open<CountsDocument>(VELOCITY_COUNTS), clock);
  }

  /**
   * Counts a payment and does the work for it. Where the work is refused, the payment counts no more. Throws Refusal
   * rate_limit over the limit, and does nothing then.
   */
  async counting<T>(
    limit: VelocityLimit | null,
    subject: Subject,
    counted: Counted,
    work: () => Promise<T>,
  ): Promise<T> {
    if (limit === null) return work();
    const refusal = await this.change(subject, limit, counted, counts => {
      if (isCounted(counts, counted)) return { counts: null, answer: null };
      if (hasRoom(counts, limit, counted)) return { counts: withCount(counts, limit, counted), answer: null };
      return { counts: null, answer: overLimit(subject, roomInMs(counts, limit, counted)) };
    });
    if (refusal !== null) throw refusal;
    try {
      return await work();
    } catch (error) {
      // Without an answer of the log the payment may stand.
      if (isRefusal(error)) await this.discount(limit, subject, counted);
      throw error;
    }
  }

  /** Counts a payment that has happened. Answers whether the subject is over the limit with it, however often asked. */
  async isOver(limit: VelocityLimit, subject: Subject, counted: Counted): Promise<boolean> {
    return this.change(subject, limit, counted, counts => {
      if (isCounted(counts, counted)) return { counts: null, answer: isExceeded(counts, limit) };
      const more = withCount(counts, limit, counted);
      return { counts: more, answer: isExceeded(more, limit) };
    });
  }

  private async discount(limit: VelocityLimit, subject: Subject, counted: Counted): Promise<void> {
    await this.change(subject, limit, counted, counts => ({
      counts: isCounted(counts, counted) ? withoutCount(counts, limit, counted) : null,
      answer: null,
    }));
  }

  /** The counts of one subject change in turn within a process; between processes the guarded write decides. */
  private change<Answer>(
    subject: Subject,
    limit: VelocityLimit,
    { nowMs }: Counted,
    change: Change<Answer>,
  ): Promise<Answer> {
    const id = `${subject.mode}/${subject.kind}/${subject.id}`;
    return this.turns.run(id, async () => {
      const remembered = this.known.get(id);
      for (let attempt = 1; attempt <= GUARDED_TRIES; attempt++) {
        const isFromMemory = attempt === 1 && remembered !== undefined;
        const standing = isFromMemory ? remembered : await this.documents.get(id);
        const { counts, answer } = change(countsAt(standing?.body ?? NOTHING_COUNTED, limit, nowMs));
        if (counts === null) {
          this.known.set(id, standing);
          // Another process may have taken a count back since.
          if (isFromMemory && answer !== null) continue;
          return answer;
        }
        if (await this.write(id, standing, counts, endOf(counts, limit) - nowMs)) return answer;
      }
      throw refuse('rate_limit', { retryAfterSeconds: RIVALS_RETRY_SECONDS });
    });
  }

  /** False where another process was faster. */
  private async write(
    id: string,
    standing: Document<CountsDocument> | null,
    counts: Counts,
    forMs: number,
  ): Promise<boolean> {
    const wallMs = this.clock.now();
    const body: CountsDocument = { ...counts, lapses_at: isoTime(wallMs + Math.max(0, forMs)) };
    // No version comes twice, also after a removal: a process may remember the removed document.
    const document = { id, version: Math.max(wallMs, (standing?.version ?? 0) + 1), body };
    const isWritten =
      standing === null
        ? await this.documents.insert(document)
        : await this.documents.replace(document, standing.version);
    if (!isWritten) return false;
    this.known.set(id, document);
    await this.clean(wallMs);
    return true;
  }

  private async clean(wallMs: number): Promise<void> {
    if (wallMs - this.cleanedAtMs < CLEANED_EVERY_MS) return;
    this.cleanedAtMs = wallMs;
    const range = { to: isoTime(wallMs) };
    const lapsed = await this.documents.list({ index: 'by_lapse', equals: {}, range, limit: CLEANED_AT_A_TIME });
    await Promise.all(lapsed.map(({ id, version }) => this.documents.deleteAt(id, version)));
  }
}

function overLimit({ kind }: Subject, waitMs: number | null): Refusal {
  const message = `This ${kind} has reached the limit of payments in a span of time.`;
  const retry = waitMs === null ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / SECOND_MS)) };
  return refuse('rate_limit', { message, ...retry });
}
