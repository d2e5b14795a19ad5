import { permits, type Permission } from '../../../src/vocabulary/roles';
import { useReader } from '../../parts/dashboard-context';
import { Tabs } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';

const TABS: readonly { readonly path: string; readonly text: string; readonly permission: Permission }[] = [
  { path: 'settings', text: 'General', permission: 'settings.read' },
  { path: 'settings/notifications', text: 'Notifications', permission: 'settings.read' },
  { path: 'settings/session-policy', text: 'Sessions', permission: 'session_policy.manage' },
  { path: 'settings/account', text: 'Account', permission: 'settings.read' },
];

/** The pages of the settings, as far as the reader may see them. */
export function SettingsTabs({ current }: { readonly current: string }) {
  const paths = usePaths();
  const { role } = useReader();
  const shown = TABS.filter(({ permission }) => permits(role, permission));
  const tabs = shown.map(({ path, text }) => ({ text, href: paths(path), isCurrent: path === current }));
  return <Tabs label="Settings" tabs={tabs} />;
}
