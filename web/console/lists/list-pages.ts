import type { FunctionComponent } from 'preact';
import type { AdminList } from '../../../src/modules/administration/api/admin-list';
import type { Row as TableRow } from '../../parts/data-table';

type Column = { readonly heading: string; readonly isNumber?: boolean };

/** The pages of one list for administrators: its rows, and each row's own page. */
export type ListPages<Row extends { readonly id: string }> = {
  readonly list: AdminList<Row>;
  /** Below the console, such as `holds`. */
  readonly path: string;
  /** The entry of the navigation; by default the path. */
  readonly current?: string;
  readonly title: string;
  readonly icon: string;
  /** Stands in place of rows. */
  readonly none: string;
  readonly columns: readonly Column[];
  readonly cells: (row: Row) => TableRow['cells'];
  /** False for rows in the order of their names; by default the newest comes first. */
  readonly isByTime?: boolean;
  /** Stands beside the heading, such as the way to a new row. */
  readonly actions?: FunctionComponent;
  /** Stands above the rows. */
  readonly above?: FunctionComponent;
  /** A row's own page; null where a row is all that there is to see. */
  readonly detail: null | {
    readonly title: (row: Row) => string;
    readonly actions?: FunctionComponent<{ readonly row: Row }>;
    readonly body: FunctionComponent<{ readonly row: Row }>;
  };
};
