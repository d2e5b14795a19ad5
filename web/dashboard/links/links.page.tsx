import { Live } from '../../parts/card';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable, type Row } from '../../parts/data-table';
import { Icon } from '../../parts/icon';
import { Empty, Pager, RefusedFilter, Tabs } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';
import type { Fault, Place } from '../../http/given-filters';
import { shortened } from '../shortened';
import { LinkAmount, StandingBadge, usesText, type StandingLink } from './link-parts';

export type LinksView = Place &
  Fault & {
    readonly links: readonly StandingLink[];
    /** The filter as it was given; null where all links are listed. */
    readonly active: string | null;
  };

const COLUMNS = [
  { heading: 'Amount', isNumber: true },
  { heading: 'About' },
  { heading: 'Status' },
  { heading: 'Uses', isNumber: true },
  { heading: 'Created' },
];
const TABS = [
  [null, 'All'],
  ['true', 'Not deactivated'],
  ['false', 'Deactivated'],
] as const;

/** The links of a mode, newest first. */
export function LinksPage({ view }: { readonly view: LinksView }) {
  const paths = usePaths();
  const tabs = TABS.map(([active, text]) => ({
    text,
    href: paths(active === null ? 'links' : `links?active=${active}`),
    isCurrent: active === view.active,
  }));
  return (
    <DashboardPage title="Links" current="links" actions={<NewLink />}>
      <Tabs label="Kinds of links" tabs={tabs} />
      <Live id="links">
        <Found view={view} />
      </Live>
    </DashboardPage>
  );
}

function NewLink() {
  const paths = usePaths();
  if (!useMay('link.manage')) return null;
  return (
    <a class="button main" href={paths('links/new')}>
      <Icon name="plus" />
      New link
    </a>
  );
}

function Found({ view: { links, active, fault, next, isFirst } }: { readonly view: LinksView }) {
  const paths = usePaths();
  if (fault !== null) return <RefusedFilter fault={fault} />;
  if (links.length === 0) return <NoLinks isFiltered={active !== null} isFirst={isFirst} />;
  const query: Readonly<Record<string, string>> = active === null ? {} : { active };
  return (
    <>
      <DataTable name="Links" columns={COLUMNS} rows={links.map(link => rowOf(link, paths(`links/${link.id}`)))} />
      <Pager action={paths('links')} {...{ query, next, isFirst }} shown={links.length} />
    </>
  );
}

function rowOf(link: StandingLink, href: string): Row {
  return {
    key: link.id,
    href,
    cells: [
      <LinkAmount key="amount" link={link} />,
      shortened(link.description ?? '–'),
      <StandingBadge key="standing" standing={link.standing} />,
      usesText(link),
      <TimeOf key="created" at={link.created} />,
    ],
  };
}

function NoLinks({ isFiltered, isFirst }: { readonly isFiltered: boolean; readonly isFirst: boolean }) {
  const paths = usePaths();
  const mayManage = useMay('link.manage');
  if (isFiltered || !isFirst)
    return (
      <Empty icon="search" title={isFirst ? 'No link of this kind' : 'No older links'}>
        <a href={paths('links')}>All links</a>
      </Empty>
    );
  return (
    <Empty icon="link" title="No links yet">
      <p>A link opens a new payment each time somebody pays by it: in a message, on a page, or as a printed code.</p>
      {mayManage && <a href={paths('links/new')}>Make a link</a>}
    </Empty>
  );
}
