import { BoundedMap } from '../../kernel/bounded-map';
import { SECOND_MS, type Clock } from '../../kernel/clock';
import type { Place } from './ranking-ground';

type Bucket = { readonly left: number; readonly atMs: number };
type Allowance = { readonly most: number; readonly eachMs: number };

/** Thorough rankings take some hundred reads each; people can look at no more of one address in the time. */
const OF_PLACE: Allowance = { most: 20, eachMs: 3 * SECOND_MS };
/** The allowance of all addresses together: anybody may have any number of addresses. */
const OF_ALL: Allowance = { most: 60, eachMs: 250 };
const PLACES_LIMIT = 1_000;

/** Limits the thorough rankings of unmatched transfers: so many at once, and another one after each stretch of time. */
export class RankingBudget {
  private readonly buckets = new BoundedMap<string, Bucket>(PLACES_LIMIT);
  private ofAll: Bucket | undefined;

  constructor(private readonly clock: Clock) {}

  /** False where the place, or the process, has had its share. */
  take({ mode, token, address }: Place): boolean {
    const place = [mode, token.id, address].join(' ');
    const nowMs = this.clock.now();
    const [own, all] = [left(this.buckets.get(place), OF_PLACE, nowMs), left(this.ofAll, OF_ALL, nowMs)];
    if (own < 1 || all < 1) return false;
    this.buckets.set(place, { left: own - 1, atMs: nowMs });
    this.ofAll = { left: all - 1, atMs: nowMs };
    return true;
  }
}

function left(bucket: Bucket | undefined, { most, eachMs }: Allowance, nowMs: number): number {
  return bucket ? Math.min(most, bucket.left + Math.max(0, nowMs - bucket.atMs) / eachMs) : most;
}
