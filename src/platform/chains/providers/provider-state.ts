import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock';
import type { Refusal } from '../../../kernel/errors';

/** One endpoint as an operation sees it; `name` is the host, since a URL's path often holds a key. */
export type NamedProvider = { readonly name: string };

const SHORTEST_REST_MS = SECOND_MS;
/** Longer than the half minute for which public gateways stay silent after too many requests. */
const LONGEST_REST_MS = 5 * MINUTE_MS;
/** Whoever has failed for so long without one answer between is not waited for. */
const ABSENT_AFTER_MS = MINUTE_MS;
/** A provider that fails and answers by turns must not fill the log. */
const TELL_EVERY_MS = MINUTE_MS;

/** What the pool knows of one provider: whether it serves the right chain, how it answered lately, and how far it is behind. */
export class ProviderState<P extends NamedProvider> {
  /** Why it is out for good; null while nothing stands against it. */
  disqualification: Refusal | null = null;
  /** Whether it has been found to serve the right chain. */
  inspected = false;
  /** Its head is too far behind the others': it may not know what they know. */
  lagging = false;
  private strikes = 0;
  private failingSinceMs: number | null = null;
  private restsUntilMs = 0;
  private toldAtMs: number | null = null;
  private told = false;

  constructor(readonly provider: P) {}

  get name(): string {
    return this.provider.name;
  }

  get eligible(): boolean {
    return this.disqualification === null && !this.lagging;
  }

  isResting(nowMs: number): boolean {
    return nowMs < this.restsUntilMs;
  }

  isAbsent(nowMs: number): boolean {
    return this.failingSinceMs !== null && nowMs - this.failingSinceMs >= ABSENT_AFTER_MS;
  }

  /** True when its recovery is worth telling. */
  succeed(): boolean {
    this.strikes = 0;
    this.failingSinceMs = null;
    this.restsUntilMs = 0;
    const { told } = this;
    this.told = false;
    return told;
  }

  /** True when the failure is worth telling. */
  fail(nowMs: number): boolean {
    this.failingSinceMs ??= nowMs;
    this.restsUntilMs = nowMs + Math.min(SHORTEST_REST_MS * 2 ** this.strikes, LONGEST_REST_MS);
    this.strikes += 1;
    if (this.told || (this.toldAtMs !== null && nowMs - this.toldAtMs < TELL_EVERY_MS)) return false;
    this.toldAtMs = nowMs;
    this.told = true;
    return true;
  }
}
