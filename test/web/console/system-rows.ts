import { AuditReader } from '../../../src/modules/audit/api/audit.reader';
import { audited, everyEvent } from '../../support/audited';
import type { ConsoleStage } from '../console-stage';
import type { AnsweredPage } from '../readable-pages';
import type { LookedAt } from './console-pages';
import { renderedForAdmin } from './rendered-console';
import { SYSTEM_PAGES } from './system-views';

/** The pages about the system, with what a staged service has. */
export const SYSTEM_ROWS: readonly LookedAt[] = [
  { route: '/console/audit/{id}', at: async (_, stage) => `/console/audit/${await auditedEntry(stage)}` },
  { route: '/console/audit', at: '/console/audit' },
  { route: '/console/audit', at: '/console/audit?from=yesterday', as: 'compliance' },
  { route: '/console/audit/export', at: '/console/audit/export?action=merchant.suspend' },
  { route: '/console/streams', at: '/console/streams?q=none' },
  {
    route: '/console/streams/{stream}',
    at: ({ review }) => `/console/streams/test.payment_intent-${review}?as_of=2`,
    as: 'viewer',
  },
  { route: '/console/coverage', at: '/console/coverage' },
  { route: '/console/coverage/{mode}/{network}', at: '/console/coverage/test/base' },
  { route: '/console/health', at: '/console/health', as: 'viewer' },
  { route: '/console/health/read-models', at: '/console/health/read-models' },
  { route: '/console/health/limits', at: '/console/health/limits' },
  { route: '/console/health/groups/{group}', at: '/console/health/groups/audit' },
];

/** Writes the audit log of all that has happened, and answers its newest entry. */
export async function auditedEntry({ stage, instance }: ConsoleStage): Promise<string> {
  await audited(instance.parts.audit, await everyEvent(stage.core.store));
  const { data } = await instance.app.get(AuditReader, { strict: false }).list({ limit: '1' });
  return data[0]?.id ?? '';
}

/** The same pages with all that may go wrong. */
export const SYSTEM_ANSWERS: readonly AnsweredPage[] = Object.entries(SYSTEM_PAGES).map(([name, { at, page }]) => ({
  ...{ name, at },
  body: renderedForAdmin(page),
}));
