import { describeCosts } from '../../due-costs';
import { DueListStage } from './due-list-stage';

describe('what a look costs', () => {
  /** New deliveries, a page of all, and the advanced clocks. */
  describeCosts(() => new DueListStage(), { queries: 3, documents: 0 });
});
