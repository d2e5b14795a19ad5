import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, type Clock } from '../../kernel/clock';
import { isRefusal, refuse } from '../../vocabulary/errors';
import type { RateObservation, RateSource } from '../../kernel/ports/rate-source';
import { PauseWanted } from '../outbound/http-client';

const SHORTEST_REST_MS = MINUTE_MS;
/**
 * The longest rest, unless the source itself asks for more. Exchanges ban clients that continue asking: for some
 * minutes at first, and in the end for three days.
 */
const LONGEST_REST_MS = HOUR_MS;
const LONGEST_ASKED_REST_MS = 3 * DAY_MS;

/**
 * A source that is asked no oftener than it allows. After "too many requests" the source rests for its stated time, and
 * for at least a minute. Each further such answer doubles that minute, up to `LONGEST_REST_MS`.
 */
export class PacedSource implements RateSource {
  private restsUntilMs = 0;
  private restMs = SHORTEST_REST_MS;
  private last: { readonly observations: readonly RateObservation[]; readonly untilMs: number } | null = null;

  constructor(
    private readonly source: RateSource,
    private readonly clock: Clock,
  ) {}

  get name(): string {
    return this.source.name;
  }

  get family(): string {
    return this.source.family;
  }

  get currencies(): readonly string[] {
    return this.source.currencies;
  }

  get freshForMs(): number {
    return this.source.freshForMs;
  }

  async observe(signal: AbortSignal): Promise<readonly RateObservation[]> {
    const nowMs = this.clock.now();
    if (nowMs < this.restsUntilMs) {
      const message = `${this.name} was asked too often and is left alone until ${isoTime(this.restsUntilMs)}.`;
      throw refuse('provider_unavailable', { message });
    }
    if (this.last !== null && nowMs < this.last.untilMs) return this.last.observations;
    try {
      const observations = await this.source.observe(signal);
      this.last = { observations, untilMs: nowMs + (this.source.everyMs ?? 0) };
      this.restMs = SHORTEST_REST_MS;
      return observations;
    } catch (error) {
      const cause = isRefusal(error) ? error.cause : null;
      if (cause instanceof PauseWanted && cause.isTooOften) this.rest(cause.pauseMs ?? 0);
      throw error;
    }
  }

  private rest(askedForMs: number): void {
    this.restsUntilMs = this.clock.now() + Math.max(Math.min(askedForMs, LONGEST_ASKED_REST_MS), this.restMs);
    this.restMs = Math.min(this.restMs * 2, LONGEST_REST_MS);
  }
}
