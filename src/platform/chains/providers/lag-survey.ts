import { SECOND_MS } from '../../../kernel/clock';
import type { BlockHeader } from '../../../kernel/ports/chain';
import type { Operation, PanelOptions, ProviderPanel } from './provider-panel';
import type { NamedProvider } from './provider-state';

/** Nine seconds on the fastest chain watched: a provider further behind is stuck, not slow. */
const MOST_LAG_BLOCKS = 20;
const SURVEY_EVERY_MS = 10 * SECOND_MS;

/** Compares the heads of all providers once in a while. One that is far behind is left out until a later survey finds it caught up. */
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
    const { chain, log } = this.options;
    const asked = this.panel.surveyed();
    const outcomes = await Promise.all(asked.map(state => this.panel.attempt(state, this.headOf)));
    const heads = asked.flatMap((state, index) => {
      const outcome = outcomes[index];
      return outcome && 'value' in outcome ? [{ state, height: outcome.value.number }] : [];
    });
    const heights = heads.map(({ height }) => height).sort((a, b) => b - a);
    // One of three or more that runs ahead of all the others proves nothing against them.
    const reference = heights[heights.length > 2 ? 1 : 0] ?? 0;
    for (const { state, height } of heads) {
      const lagging = height < reference - MOST_LAG_BLOCKS;
      if (lagging === state.lagging) continue;
      state.lagging = lagging;
      const facts = { provider: state.name, chain, height, others_at: reference };
      if (lagging) log?.warn(facts, 'chain provider lags behind the others');
      else log?.info(facts, 'chain provider has caught up');
    }
  }
}
