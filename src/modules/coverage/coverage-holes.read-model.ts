import type { ReadModel } from '../../kernel/ports/read-models';
import type { CoverageHoleOpened } from './coverage-hole.events';

/** Every block, or run of blocks, that was ever passed unread. Only open ones hold up deadlines. */
export type CoverageHoleDocument = CoverageHoleOpened['data'] & {
  readonly mode: string;
  readonly status: 'open' | 'read' | 'dropped' | 'closed';
  readonly opened_at: string;
  /** Null except where an administrator has closed the hole unread. */
  readonly closing: { readonly note: string; readonly closed_by: string; readonly at: string } | null;
};

export const coverageHolesReadModel: ReadModel<CoverageHoleDocument> = {
  name: 'coverage_holes',
  version: 4,
  indexes: {
    by_block: ['mode', 'network_id', 'status', 'block_number', 'id'],
    by_status: ['status', 'opened_at', 'id'],
  },
};
