import { describeCosts } from '../due-costs';
import { SweeperStage } from './sweeper-stage';

describe('what a round costs', () => {
  /** One for each mode and network, and one for the advanced clocks. */
  describeCosts(() => new SweeperStage(), { queries: 7, documents: 0 });
});
