import type { DifferenceRow } from '../../../src/modules/approvals/approval.events';
import { DataTable } from '../../parts/data-table';
import { fieldLabel } from './field-words';

const COLUMNS = [{ heading: 'Field' }, { heading: 'Before' }, { heading: 'After' }];

/** The fields that an action changes, before and after. */
export function DifferenceTable({ difference }: { readonly difference: readonly DifferenceRow[] }) {
  return (
    <DataTable
      name="Difference"
      columns={COLUMNS}
      rows={difference.map(({ field, before, after }) => ({
        key: field,
        cells: [fieldLabel(field), before ?? 'Nothing', after ?? 'Nothing'],
      }))}
    />
  );
}
