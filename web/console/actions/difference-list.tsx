import type { DifferenceRow } from '../../../src/modules/approvals/approval.events';
import { Diff } from '../../parts/diff';
import { fieldLabel } from './field-words';

/** The fields that an action changes, before and after. A long text is read in full, since somebody judges it. */
export function DifferenceList({ difference }: { readonly difference: readonly DifferenceRow[] }) {
  return (
    <Diff
      label="Difference"
      changes={difference.map(({ field, before, after }) => ({
        ...{ name: fieldLabel(field), before, after: after ?? 'Nothing' },
      }))}
    />
  );
}
