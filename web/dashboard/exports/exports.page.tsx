import { EXPORT_KIND_NAMES } from '../../../src/modules/exports/queries/export-kinds';
import { DashboardPage } from '../../parts/dashboard-page';
import { EXPORT_FIELDS, ExportForm } from '../../parts/export-form';
import { SelectField } from '../../parts/fields';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';

const KINDS = EXPORT_KIND_NAMES.map(kind => ({ value: kind, text: spoken(kind) }));

type ExportsPageProps = { readonly query: Readonly<Record<string, string>>; readonly fault: string | null };

/** Lists of the mode as files. */
export function ExportsPage({ query, fault }: ExportsPageProps) {
  const paths = usePaths();
  return (
    <DashboardPage title="Exports" current="exports">
      <ExportForm
        action={paths('exports/file')}
        query={query}
        fault={fault}
        fields={<SelectField name="kind" label={EXPORT_FIELDS.kind} options={KINDS} value={query.kind} />}
      >
        The file is made as it is read, however long it is. Its columns of amounts can be summed.
      </ExportForm>
    </DashboardPage>
  );
}
