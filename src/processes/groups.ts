import type { EventFilter, EventStore, GroupMessage } from '../kernel/ports/event-store';
import { GROUP_NAMES, type GroupName } from '../modules/system/group-names';
import { AUDIT_CATEGORIES } from '../modules/audit/audit-rules';
import { AUDIT_MESSAGES_AT_ONCE } from './audit/audit-group';
import { FEE_CATEGORIES } from './fees/fees-group';
import { INVOICE_CATEGORIES } from './invoices/invoice-group';
import { MATCHING_CATEGORIES } from './matching/matching-group';
import { NOTICE_CATEGORIES } from './notices/notices';
import { MESSAGES_AT_ONCE } from './webhook-delivery/openings/webhook-scheduling';

type Group = {
  readonly filter: EventFilter;
  /** Messages that are under way at once. */
  readonly concurrency: number;
};

const CONSEQUENCE_CATEGORIES = [
  ...new Set([...NOTICE_CATEGORIES, ...FEE_CATEGORIES, ...INVOICE_CATEGORIES, 'payment_link']),
];

/** Each group's events. */
export const GROUPS = {
  webhooks: { filter: { categories: ['payment_intent'] }, concurrency: MESSAGES_AT_ONCE },
  deliveries: { filter: { categories: ['webhook_delivery'] }, concurrency: 8 },
  /** Parts that share a group: notices, fees, links and invoices. */
  consequences: { filter: { categories: CONSEQUENCE_CATEGORIES }, concurrency: 8 },
  matching: { filter: { categories: MATCHING_CATEGORIES }, concurrency: 8 },
  audit: { filter: { categories: AUDIT_CATEGORIES }, concurrency: AUDIT_MESSAGES_AT_ONCE },
} as const satisfies Record<GroupName, Group>;

export type GroupHandlers = Readonly<Record<GroupName, (message: GroupMessage) => Promise<void>>>;

/** The caller ensures the groups before the first append, so that no event is older than its reader. */
export async function ensureGroups(store: EventStore): Promise<void> {
  for (const name of GROUP_NAMES) await store.ensureGroup(name, GROUPS[name].filter);
}

/** Consumes every group until `signal` aborts. */
export function consumeGroups(
  store: EventStore,
  handlers: GroupHandlers,
  signal: AbortSignal,
): readonly Promise<void>[] {
  return GROUP_NAMES.map(name =>
    store.consume(name, handlers[name], { concurrency: GROUPS[name].concurrency, signal }),
  );
}
