import { HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../../kernel/clock';
import type { ProviderStanding } from '../../../kernel/ports/provider-standing';
import type { Refusal } from '../../../vocabulary/errors';

/** One endpoint as an operation sees it; `name` is the host, since a URL's path often holds a key. */
export type NamedProvider = { readonly name: string };

const SHORTEST_REST_MS = SECOND_MS;
/** Longer than the half minute for which public gateways stay silent after too many requests. */
const LONGEST_REST_MS = 5 * MINUTE_MS;
/** A provider that has failed for so long without one answer is not waited for. */
const ABSENT_AFTER_MS = MINUTE_MS;
/**
 * The longest pause of a provider that is still waited for, even if it asks for a longer one. Such a provider must have
 * some chances to answer before it counts as absent.
 */
const LONGEST_PAUSE_MS = 15 * SECOND_MS;
/** An unfit provider is inspected again after so long, and after twice as long each further time. */
const SHORTEST_EXCLUSION_MS = MINUTE_MS;
const LONGEST_EXCLUSION_MS = HOUR_MS;
/** A provider that fails and answers by turns must not fill the log. */
const TELL_EVERY_MS = MINUTE_MS;

/**
 * The pool's knowledge of one provider: whether it serves the right chain, how it answered lately, and how far it is
 * behind.
 */
export class ProviderState<P extends NamedProvider> {
  /** Whether the provider has been found to serve the right chain. */
  inspected = false;
  /** The provider's head is too far behind the others' heads, so it may lack their newest blocks. */
  lagging = false;
  /** The time when the provider last answered any question. */
  answeredAtMs = -Infinity;
  private unfitness: Refusal | null = null;
  private exclusions = 0;
  private excludedUntilMs = 0;
  private strikes = 0;
  private failingSinceMs: number | null = null;
  private restsUntilMs = 0;
  private pausedUntilMs = 0;
  private toldAtMs: number | null = null;
  private told = false;

  constructor(readonly provider: P) {}

  get name(): string {
    return this.provider.name;
  }

  /** The reason for the provider's exclusion, as its last inspection found it; null where there is none. */
  get disqualification(): Refusal | null {
    return this.unfitness;
  }

  get eligible(): boolean {
    return this.unfitness === null && !this.lagging;
  }

  /** Whether the provider is not even to be inspected. */
  isExcluded(nowMs: number): boolean {
    return this.unfitness !== null && nowMs < this.excludedUntilMs;
  }

  exclude(fault: Refusal, nowMs: number): void {
    this.unfitness = fault;
    this.excludedUntilMs = nowMs + Math.min(SHORTEST_EXCLUSION_MS * 2 ** this.exclusions, LONGEST_EXCLUSION_MS);
    this.exclusions += 1;
  }

  /** The pauses begin anew only where `isFit`, by the result of an inspection. */
  readmit(isFit: boolean): void {
    this.inspected = isFit;
    this.unfitness = null;
    if (isFit) this.exclusions = 0;
  }

  /** Whether the provider has asked for a pause. */
  isPaused(nowMs: number): boolean {
    return nowMs < this.pausedUntilMs;
  }

  isResting(nowMs: number): boolean {
    return nowMs < this.restsUntilMs || this.isPaused(nowMs);
  }

  isAbsent(nowMs: number): boolean {
    return this.failingSinceMs !== null && nowMs - this.failingSinceMs >= ABSENT_AFTER_MS;
  }

  standing(nowMs: number): ProviderStanding {
    const hasAnswered = Number.isFinite(this.answeredAtMs);
    return {
      host: this.name,
      state: this.stateAt(nowMs),
      answered_at: hasAnswered ? isoTime(this.answeredAtMs) : null,
    };
  }

  private stateAt(nowMs: number): ProviderStanding['state'] {
    if (this.unfitness !== null) return 'excluded';
    if (this.lagging) return 'lagging';
    if (this.isAbsent(nowMs)) return 'absent';
    if (this.isResting(nowMs)) return 'resting';
    return Number.isFinite(this.answeredAtMs) ? 'answering' : 'unasked';
  }

  /** True when the provider's recovery is worth a line in the log. */
  succeed(nowMs: number): boolean {
    this.answeredAtMs = nowMs;
    this.strikes = 0;
    this.failingSinceMs = null;
    this.restsUntilMs = 0;
    const { told } = this;
    this.told = false;
    return told;
  }

  /**
   * The pause that the provider asks for; by default as long as its pause after the failure. An answer that was under
   * way meanwhile does not end the asked pause.
   */
  pause(nowMs: number, wantedMs: number | null): void {
    const pauseMs = wantedMs ?? this.restsUntilMs - nowMs;
    const longestMs = this.isAbsent(nowMs) ? LONGEST_REST_MS : LONGEST_PAUSE_MS;
    this.pausedUntilMs = Math.max(this.pausedUntilMs, nowMs + Math.min(pauseMs, longestMs));
  }

  /** True when the failure is worth a line in the log. */
  fail(nowMs: number): boolean {
    this.failingSinceMs ??= nowMs;
    // Failures during a pause do not prolong it: a question that the provider cannot answer has many parts.
    if (nowMs >= this.restsUntilMs) {
      this.restsUntilMs = nowMs + Math.min(SHORTEST_REST_MS * 2 ** this.strikes, LONGEST_REST_MS);
      this.strikes += 1;
    }
    if (this.told || (this.toldAtMs !== null && nowMs - this.toldAtMs < TELL_EVERY_MS)) return false;
    this.toldAtMs = nowMs;
    this.told = true;
    return true;
  }
}
