import { Card } from '../../parts/card';
import { useDashboard, useReader } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { usePage } from '../../parts/page-context';

/** The first page of a mode, with the first steps of an account. */
export function HomePage() {
  const { merchantName } = useReader();
  const { mode } = useDashboard();
  const { root } = usePage();
  return (
    <DashboardPage title="Home" heading={merchantName} current="">
      <Card title="First steps">
        <p>
          {mode === 'test'
            ? 'In test mode, no real money moves: try everything here first.'
            : 'In live mode, real money moves.'}
        </p>
        <p>
          The <a href={`${root}/docs/quick-start`}>quick start</a> leads to the first payment in a few minutes.
        </p>
      </Card>
    </DashboardPage>
  );
}
