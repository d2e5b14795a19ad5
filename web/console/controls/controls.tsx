import { geo, screening, velocityLimits } from '../../../src/modules/administration/api/lists/controls';
import { Tabs } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { ActionLink } from '../actions/action-link';
import type { ListPages } from '../lists/list-pages';
import { Cents, ModeBadge } from '../lists/object-words';
import type { RowOf } from '../lists/row-of';

const MINUTE_MS = 60_000;
const CURRENT = 'controls';
const PATHS = [
  [CURRENT, 'Velocity'],
  ['controls/geo', 'Countries'],
  ['controls/screening', 'Screening'],
] as const;

function tabsOf(current: (typeof PATHS)[number][0]) {
  return function ControlTabs() {
    const paths = usePaths();
    const tabs = PATHS.map(([path, text]) => ({ text, href: paths(path), isCurrent: path === current }));
    return <Tabs label="Limits" tabs={tabs} />;
  };
}

/** The limits on payments of merchants, wallets and payers. */
export const VELOCITY_LIMITS: ListPages<RowOf<typeof velocityLimits>> = {
  list: velocityLimits,
  path: CURRENT,
  title: 'Velocity limits',
  icon: 'settings',
  none: 'No limit stands',
  columns: [
    { heading: 'Of each' },
    { heading: 'Window in minutes', isNumber: true },
    { heading: 'Payments', isNumber: true },
    { heading: 'Sum', isNumber: true },
    { heading: 'Since' },
    { heading: 'Lift' },
  ],
  cells: ({ subject, window_ms, max_count, max_amount_usd, set_at }) => [
    spoken(subject),
    String(window_ms / MINUTE_MS),
    String(max_count),
    <Cents amount={max_amount_usd} />,
    <TimeOf at={set_at} />,
    <ActionLink action="liftVelocityLimit" text="Lift" target={subject} of={`the limit of each ${spoken(subject)}`} />,
  ],
  actions: () => <ActionLink action="setVelocityLimit" text="Set a limit" isMain />,
  above: tabsOf(CURRENT),
  detail: null,
};

/** The countries whose customers begin no payment. */
export const GEO_BLOCKS: ListPages<RowOf<typeof geo>> = {
  list: geo,
  path: 'controls/geo',
  current: CURRENT,
  title: 'Blocked countries',
  icon: 'settings',
  none: 'No country is blocked',
  columns: [{ heading: 'Countries' }, { heading: 'Since' }, { heading: 'Change' }],
  cells: ({ blocked_countries: blocked, set_at }) => [
    blocked.length === 0 ? 'None' : blocked.join(', '),
    set_at === null ? 'Never set' : <TimeOf at={set_at} />,
    <ActionLink
      action="blockCountries"
      text="Change"
      fields={{ blocked_countries: blocked.join(', ') }}
      of="the countries"
    />,
  ],
  above: tabsOf('controls/geo'),
  detail: null,
};

/** The sources of screenings, and their time to answer. */
export const SCREENING: ListPages<RowOf<typeof screening>> = {
  list: screening,
  path: 'controls/screening',
  current: CURRENT,
  title: 'Screening',
  icon: 'settings',
  none: 'No source screens payers',
  columns: [
    { heading: 'Mode' },
    { heading: 'Sources' },
    { heading: 'Milliseconds to answer', isNumber: true },
    { heading: 'Since' },
  ],
  cells: ({ mode, sources, timeout_ms, set_at }) => [
    <ModeBadge mode={mode} />,
    sources.length === 0 ? 'None' : sources.join(', '),
    String(timeout_ms),
    set_at === null ? 'Never set' : <TimeOf at={set_at} />,
  ],
  actions: () => <ActionLink action="setScreeningTimeout" text="Set the time" isMain />,
  above: tabsOf('controls/screening'),
  detail: null,
};
