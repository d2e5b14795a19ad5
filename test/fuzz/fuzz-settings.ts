import type { Parameters as AssertParameters } from 'fast-check';
import { searchSize } from '../levels/search-size';

/** Requests of one run of the whole fuzz; a night may ask for more. */
const RUNS = searchSize('FUZZ_RUNS', { small: 200, full: 50_000 });
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_101);
/** Requests that are under way together: commits are shared, and requests meet. */
export const AT_ONCE = 16;
const FAULTS_LIMIT = 20;
const SHOWN_LENGTH = 2_000;
const LIMIT_PER_REQUEST_MS = 20;
const LIMIT_AT_LEAST_MS = 120_000;

export type FuzzPlan = {
  readonly requests: number;
  readonly limitMs: number;
  readonly parameters: AssertParameters<unknown>;
};

/** `share` of all requests, in batches of so many at once. */
export function fuzzPlan(share: number, atOnce = AT_ONCE): FuzzPlan {
  const requests = Math.max(atOnce, Math.round(RUNS * share));
  return {
    requests,
    limitMs: LIMIT_AT_LEAST_MS + requests * LIMIT_PER_REQUEST_MS,
    parameters: { seed: SEED, numRuns: Math.ceil(requests / atOnce), endOnFailure: true },
  };
}

/** The faults that were found: each kind once, with the first request that met it. */
export class Faults {
  private readonly found = new Map<string, string>();

  add(fault: string, request: string, answer: string): void {
    if (!this.found.has(fault)) this.found.set(fault, `${fault}\n  ${cut(request)}\n  -> ${cut(answer)}`);
    if (this.found.size >= FAULTS_LIMIT) throw new Error(`${FAULTS_LIMIT} kinds of faults are enough`);
  }

  /** Fails where there is any, and says how the very same requests are made again. */
  assertNone(spec: string): void {
    if (this.found.size === 0) return;
    const replay = `FUZZ_RUNS=${RUNS} FUZZ_SEED=${SEED} npx jest ${spec}`;
    throw new Error(`${[...this.found.values()].join('\n')}\n\nTo replay: ${replay}`);
  }
}

function cut(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}… (${text.length} characters)`;
}
