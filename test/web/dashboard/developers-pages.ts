import type { LookedAt } from '../dashboard-pages';
import type { DashboardStage } from '../dashboard-stage';
import { developersObjects, type DevelopersObjects } from './developers-stage';
import type { IsolationRow } from './isolation-rows';

const MODE = '/dashboard/{mode}';
const TEST = '/dashboard/test';
const UNKNOWN = '00000000000000000000000000';

const of = (kind: keyof DevelopersObjects) => async (dashboard: DashboardStage) =>
  (await developersObjects(dashboard))[kind];
const pathOf = (path: string, kind: keyof DevelopersObjects) => async (dashboard: DashboardStage) =>
  `${TEST}/${path}${await of(kind)(dashboard)}`;

/** The developers' pages, each with something on it. */
export const DEVELOPERS_PAGES: readonly LookedAt[] = [
  { route: `${MODE}/keys/{id}`, at: pathOf('keys/', 'key') },
  { route: `${MODE}/keys`, at: `${TEST}/keys` },
  { route: `${MODE}/keys/new`, at: `${TEST}/keys/new` },
  { route: `${MODE}/webhooks`, at: `${TEST}/webhooks` },
  { route: `${MODE}/webhooks`, at: '/dashboard/live/webhooks' },
  { route: `${MODE}/webhooks/new`, at: `${TEST}/webhooks/new` },
  { route: `${MODE}/webhooks/{id}`, at: pathOf('webhooks/', 'endpoint') },
  { route: `${MODE}/events`, at: `${TEST}/events` },
  { route: `${MODE}/events`, at: `${TEST}/events?delivered=false` },
  { route: `${MODE}/events`, at: `${TEST}/events?failed=true` },
  { route: `${MODE}/events/{id}`, at: pathOf('events/', 'event') },
  { route: `${MODE}/requests`, at: `${TEST}/requests` },
  { route: `${MODE}/requests/{id}`, at: pathOf('requests/', 'request') },
  { route: `${MODE}/simulate`, at: `${TEST}/simulate` },
  { route: `${MODE}/simulate/{id}`, at: pathOf('simulate/', 'payment') },
];

const page = (path: string, kind: keyof DevelopersObjects, prefix: string): IsolationRow => ({
  method: 'GET',
  route: `${MODE}/${path}/{id}`,
  object: of(kind),
  unknown: `${prefix}_${UNKNOWN}`,
});
const risky = (path: string, form: string, kind: keyof DevelopersObjects, prefix: string): IsolationRow => ({
  ...page(path, kind, prefix),
  method: 'POST',
  route: `${MODE}/${path}/{id}/${form}`,
  asksCode: true,
});

const play = (form: string, fields: Readonly<Record<string, string>>): IsolationRow => ({
  ...page('simulate', 'payment', 'pi'),
  method: 'POST',
  route: `${MODE}/simulate/{id}/${form}`,
  fields,
});

/** The developers' pages and forms that name an object. */
export const DEVELOPERS_ISOLATION: readonly IsolationRow[] = [
  page('keys', 'key', 'key'),
  risky('keys', 'rotate', 'key', 'key'),
  risky('keys', 'revoke', 'key', 'key'),
  page('webhooks', 'endpoint', 'we'),
  {
    ...risky('webhooks', 'change', 'endpoint', 'we'),
    fields: { url: 'http://127.0.0.1:9/hooks', description: '', '*': 'on' },
  },
  risky('webhooks', 'enable', 'endpoint', 'we'),
  risky('webhooks', 'disable', 'endpoint', 'we'),
  risky('webhooks', 'roll', 'endpoint', 'we'),
  page('events', 'event', 'evt'),
  {
    ...page('events', 'event', 'evt'),
    method: 'POST',
    route: `${MODE}/events/{id}/redeliver`,
    fields: { endpoint: `we_${UNKNOWN}` },
  },
  page('requests', 'request', 'req'),
  page('simulate', 'payment', 'pi'),
  play('method', { token_id: 'usdc-base' }),
  play('transfer', { outcome: 'exact', token_amount: '' }),
  play('clock', { span: '1m' }),
];
