import { invariant } from '../../../kernel/invariant';
import type { Standing } from './circuit';

/** Endpoints that do not answer promptly hold no more than one place in so many. */
const DOUBTED_SHARE = 4;
/**
 * Slow endpoints hold no more than one in so many of those places: the others are for endpoints that were never tried.
 */
const SLOW_SHARE = 2;
/** A merchant takes one more place only while so many times as many are free as it holds. */
const FREE_BY_HELD: Readonly<Record<Standing, number>> = { prompt: 4, slow: 4, untried: 8 };

type Held = { all: number; doubted: number };

const NONE: Readonly<Held> = { all: 0, doubted: 0 };

/**
 * The attempts that may be under way at once. The more of the places a merchant holds, the more must be free before it
 * takes another. So a few merchants never hold all places, in whatever order they come. A merchant that holds no place
 * finds one.
 */
export class Places {
  private readonly held = new Map<string, Held>();
  private readonly total: Held = { all: 0, doubted: 0 };
  private readonly limit: Held;

  constructor(places: number) {
    this.limit = { all: places, doubted: Math.floor(places / DOUBTED_SHARE) };
  }

  /** Whether a merchant that holds no place may take one; where that merchant may not, no other may. */
  hasRoom(standing: Standing): boolean {
    return this.mayAdd(NONE, standing);
  }

  mayTake(merchantId: string, standing: Standing): boolean {
    return this.mayAdd(this.held.get(merchantId) ?? NONE, standing);
  }

  take(merchantId: string, standing: Standing): void {
    this.count(merchantId, 1, isDoubted(standing) ? 1 : 0);
  }

  release(merchantId: string, standing: Standing): void {
    this.count(merchantId, -1, isDoubted(standing) ? -1 : 0);
  }

  /** An endpoint that holds so many places stands otherwise than before. */
  move(merchantId: string, places: number, before: Standing, after: Standing): void {
    if (places > 0 && isDoubted(before) !== isDoubted(after)) {
      this.count(merchantId, 0, isDoubted(after) ? places : -places);
    }
  }

  private mayAdd(own: Readonly<Held>, standing: Standing): boolean {
    if (own.all * FREE_BY_HELD.prompt >= this.limit.all - this.total.all) return false;
    if (standing === 'prompt') return true;
    const { doubted } = this.limit;
    const room = (standing === 'slow' ? Math.floor(doubted / SLOW_SHARE) : doubted) - this.total.doubted;
    return own.doubted * FREE_BY_HELD[standing] < room;
  }

  private count(merchantId: string, all: number, doubted: number): void {
    const own = this.held.get(merchantId) ?? { ...NONE };
    for (const held of [own, this.total]) {
      held.all += all;
      held.doubted += doubted;
      invariant(held.doubted >= 0 && held.doubted <= held.all, 'a place is released once');
    }
    if (own.all > 0) this.held.set(merchantId, own);
    else this.held.delete(merchantId);
  }
}

function isDoubted(standing: Standing): boolean {
  return standing !== 'prompt';
}
