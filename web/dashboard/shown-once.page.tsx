import { DashboardPage } from '../parts/dashboard-page';
import { usePage } from '../parts/page-context';
import { SHOWN_ONCE_TITLE, ShownOnce } from '../parts/shown-once';

/** The entry of the navigation, behind the mode: `keys` of `/dashboard/test/keys/new`. */
const ENTRY = /\/dashboard\/[^/]+\/([^/?]*)/;

export function ShownOncePage() {
  const { path } = usePage();
  const [, entry = ''] = ENTRY.exec(path) ?? [];
  return (
    <DashboardPage title={SHOWN_ONCE_TITLE} current={entry}>
      <ShownOnce />
    </DashboardPage>
  );
}
