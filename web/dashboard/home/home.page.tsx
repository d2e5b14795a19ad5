import type { HomeView } from '../../../src/modules/home/queries/home-view';
import { Card } from '../../parts/card';
import { useReader } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { CoverageCard } from './coverage-card';
import { FirstSteps } from './first-steps';
import { HeadroomCard } from './headroom-card';
import { Lost, TakingsCard } from './takings-card';
import { WaitingCard } from './waiting-card';

/** The first page of a mode: the takings, the things that wait, and the state of receiving. */
export function HomePage({ view }: { readonly view: HomeView }) {
  const { merchantName } = useReader();
  const { takings, lost, waiting, headroom, coverage, steps } = view;
  return (
    <DashboardPage title="Home" heading={merchantName} current="">
      <FirstSteps steps={steps} />
      <div class="columns" id="takings" data-live>
        <div class="stack">
          {takings.map(each => (
            <TakingsCard key={each.currency} takings={each} />
          ))}
          {takings.length === 0 && (
            <Card title="Takings">
              <p>Nothing was taken in the last {view.days.length} days.</p>
            </Card>
          )}
          <Lost lost={lost} />
        </div>
        <WaitingCard waiting={waiting} />
      </div>
      <div class="columns even">
        <CoverageCard coverage={coverage} />
        <HeadroomCard headroom={headroom} />
      </div>
    </DashboardPage>
  );
}
