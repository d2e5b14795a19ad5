import type { ReadModel } from '../../kernel/ports/read-models';
import type { CoverageHoleOpened } from './coverage-hole.events';

/** Every block, or run of blocks, that was passed unread some time; what holds deadlines up are those that are open. */
export type CoverageHoleDocument = CoverageHoleOpened['data'] & {
  readonly mode: string;
  readonly status: 'open' | 'read' | 'dropped' | 'closed';
  readonly opened_at: string;
  /** Null but where an administrator has closed it unread. */
  readonly closing: { readonly note: string; readonly closed_by: string; readonly at: string } | null;
};

export const coverageHolesReadModel: ReadModel<CoverageHoleDocument> = {
  name: 'coverage_holes',
  version: 3,
  indexes: { by_block: ['mode', 'network_id', 'status', 'block_number', 'id'] },
};
