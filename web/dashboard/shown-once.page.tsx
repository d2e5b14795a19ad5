import { Card } from '../parts/card';
import { DashboardPage } from '../parts/dashboard-page';
import { usePage } from '../parts/page-context';

/** The entry of the navigation, behind the mode: `keys` of `/dashboard/test/keys/new`. */
const ENTRY = /\/dashboard\/[^/]+\/([^/?]*)/;

/** Answers a form that was sent again, such as by a reload: its first answer alone showed the secret. */
export function ShownOncePage() {
  const { path } = usePage();
  const [, entry = ''] = ENTRY.exec(path) ?? [];
  return (
    <DashboardPage title="The secret was shown once" current={entry}>
      <Card>
        <p>
          This was done when the form was first sent, and the secret stood in that answer alone. If nobody kept it, make
          another one.
        </p>
        <p>
          <a href={path}>Back to the form</a>
        </p>
      </Card>
    </DashboardPage>
  );
}
