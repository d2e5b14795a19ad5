import { Tabs } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';

const PAGES = [
  ['health', 'Overview'],
  ['health/read-models', 'Read models'],
  ['health/limits', 'Limits'],
] as const;
type HealthPath = (typeof PAGES)[number][0];

/** The pages about the health of the service. */
export function HealthTabs({ current }: { readonly current: HealthPath }) {
  const paths = usePaths();
  const tabs = PAGES.map(([path, text]) => ({ text, href: paths(path), isCurrent: path === current }));
  return <Tabs label="Health" tabs={tabs} />;
}
