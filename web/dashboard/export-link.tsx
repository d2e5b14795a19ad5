import type { ExportKindName } from '../../src/modules/exports/queries/export-kinds';
import { useMay } from '../parts/dashboard-context';
import { Icon } from '../parts/icon';
import { usePaths } from '../parts/signed-context';

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
