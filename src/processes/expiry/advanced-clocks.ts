import { isoTime, MINUTE_MS } from '../../kernel/clock';
import { everyDocument } from '../../kernel/every-document';
import type { ReadModels } from '../../kernel/ports/read-models';
import { sandboxClocksReadModel } from '../../modules/sandbox/sandbox-clocks.read-model';

const PAGE = 500;
/**
 * Each look goes so far back: longer than a document may lag behind its event, or one instance's wall clock behind
 * another's.
 */
const LOOK_BACK_MS = 10 * MINUTE_MS;

/**
 * A schedule that says when to look at each of the advanced clocks. A deadline that was open as its clock was advanced
 * comes earlier by the wall than its document says. So such a deadline is found by its clock. A clock is asked only
 * when its earliest deadline is due. A clock without deadlines is never asked. The schedule is held in memory: a new
 * process starts with one look at each clock.
 */
export class AdvancedClocks {
  /** `shown` is the moment to which the clock was set: each advance sets a later one. */
  private readonly checks = new Map<string, { readonly shown: string; readonly checkAtMs: number }>();
  /** The wall's moment of the last look; the first look takes in every clock. */
  private lookedAtMs = 0;

  constructor(private readonly readModels: ReadModels) {}

  /** Takes in the clocks that any instance has advanced since: the next look includes these. */
  async refresh(wallMs: number): Promise<void> {
    const range = { from: isoTime(Math.max(0, this.lookedAtMs - LOOK_BACK_MS)) };
    const query = { index: 'by_advanced', equals: { mode: 'test' }, range, limit: PAGE };
    for await (const { id, body } of everyDocument(this.readModels, sandboxClocksReadModel, query)) {
      const { now: shown } = body;
      if (this.checks.get(id)?.shown !== shown) this.checks.set(id, { shown, checkAtMs: 0 });
    }
    this.lookedAtMs = wallMs;
  }

  /** The merchants whose clocks a look at `wallMs` has to ask, at most `limit` of them. */
  due(wallMs: number, limit: number): readonly string[] {
    const merchants: string[] = [];
    for (const [merchantId, { checkAtMs }] of this.checks) {
      if (checkAtMs > wallMs) continue;
      merchants.push(merchantId);
      if (merchants.length === limit) break;
    }
    return merchants;
  }

  /** The clock is asked again at that moment, unless it is advanced before; `Infinity` where nothing is open. */
  checkAgain(merchantId: string, atMs: number): void {
    const known = this.checks.get(merchantId);
    if (!known) return;
    // The clock goes to the end of the order, so that the clocks before it in the map do not keep the others waiting.
    this.checks.delete(merchantId);
    this.checks.set(merchantId, { ...known, checkAtMs: atMs });
  }
}
