import type { ExportKindName } from '../../src/modules/exports/queries/export-kinds';
import { useMay } from '../parts/dashboard-context';
import { usePaths } from '../parts/dashboard-path';
import { Icon } from '../parts/icon';

/** The way from a list to its export, for people who may take it along. */
export function ExportLink({ kind }: { readonly kind: ExportKindName }) {
  const paths = usePaths();
  if (!useMay('export.create')) return null;
  return (
    <a class="button" href={paths(`exports?kind=${kind}`)}>
      <Icon name="download" />
      Export
    </a>
  );
}
