import { SECOND_MS } from '../../../kernel/clock';
import type { BlockHeader } from '../../../kernel/ports/chain';
import type { Operation, PanelOptions, ProviderPanel } from './provider-panel';
import type { NamedProvider } from './provider-state';

/** Nine seconds on the fastest chain watched: a provider further behind is stuck, not slow. */
const MOST_LAG_BLOCKS = 20;
/** A provider that has such a new block is not stuck, whatever another provider says. */
const FRESH_MS = 30 * SECOND_MS;
const SURVEY_EVERY_MS = 10 * SECOND_MS;

/**
 * Compares the heads of all providers once in a while. A provider that is far behind is left out until a later survey
 * finds that it has caught up. With only two hosts, the one ahead may tell any height. Its word counts against the
 * other host only where the other's newest block is old as well.
 */
export class LagSurvey<P extends NamedProvider> {
  private dueMs = 0;

  constructor(
    private readonly panel: ProviderPanel<P>,
    private readonly headOf: Operation<P, BlockHeader>,
    private readonly options: Pick<PanelOptions<P>, 'clock' | 'chain' | 'log'>,
  ) {}

  async runWhenDue(): Promise<void> {
    const nowMs = this.options.clock.now();
    if (this.panel.states.length < 2 || nowMs < this.dueMs) return;
    this.dueMs = nowMs + SURVEY_EVERY_MS;
    await this.run();
  }

  private async run(): Promise<void> {
    const { chain, clock, log } = this.options;
    const asked = this.panel.surveyed();
    const outcomes = await Promise.all(asked.map(state => this.panel.attempt(state, this.headOf)));
    const heads = asked.flatMap((state, index) => {
      const outcome = outcomes[index];
      if (!outcome || !('value' in outcome)) return [];
      return [{ state, height: outcome.value.number, timeMs: outcome.value.timeMs }];
    });
    const hosts = new Map<string, number>();
    for (const { state, height } of heads) hosts.set(state.name, Math.max(height, hosts.get(state.name) ?? 0));
    const heights = [...hosts.values()].sort((a, b) => b - a);
    // A single provider ahead of two or more others proves nothing against them.
    const isOnesWord = heights.length <= 2;
    const reference = heights[isOnesWord ? 0 : 1] ?? 0;
    const freshFromMs = clock.now() - FRESH_MS;
    for (const { state, height, timeMs } of heads) {
      const lagging = height < reference - MOST_LAG_BLOCKS && !(isOnesWord && timeMs >= freshFromMs);
      if (lagging === state.lagging) continue;
      state.lagging = lagging;
      const facts = { provider: state.name, chain, height, others_at: reference };
      if (lagging) log?.warn(facts, 'chain provider lags behind the others');
      else log?.info(facts, 'chain provider has caught up');
    }
  }
}
