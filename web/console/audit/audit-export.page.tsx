import { ConsolePage } from '../../parts/console-page';
import { ExportForm } from '../../parts/export-form';
import { usePaths } from '../../parts/signed-context';
import { AuditFields } from './audit-fields';

type AuditExportPageProps = { readonly query: Readonly<Record<string, string>>; readonly fault: string | null };

/** The audit log as a file. */
export function AuditExportPage({ query, fault }: AuditExportPageProps) {
  const paths = usePaths();
  return (
    <ConsolePage title="Export the audit log" current="audit" back={{ path: 'audit', text: 'Audit log' }}>
      <ExportForm
        action={paths('audit/export/file')}
        query={query}
        fault={fault}
        fields={<AuditFields query={query} />}
      >
        The file is made as it is read, the newest entry first, however long it is.
      </ExportForm>
    </ConsolePage>
  );
}
