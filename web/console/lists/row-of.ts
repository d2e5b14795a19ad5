import type { AdminList } from '../../../src/modules/administration/api/admin-list';

/** The rows of a list. */
export type RowOf<List> = List extends AdminList<infer Row> ? Row : never;
