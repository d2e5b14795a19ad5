import { EXPORT_FORMATS } from '../../../src/modules/exports/queries/export-file';
import { EXPORT_KIND_NAMES } from '../../../src/modules/exports/queries/export-kinds';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { SelectField, TextField } from '../../parts/fields';
import { Note } from '../../parts/note';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';

const FORMATS: Readonly<Record<(typeof EXPORT_FORMATS)[number], string>> = {
  csv: 'CSV, for a spreadsheet',
  jsonl: 'JSON, an object a line',
};
export const EXPORT_FIELDS = { kind: 'List', format: 'Format', from: 'From', to: 'To' } as const;
const KINDS = EXPORT_KIND_NAMES.map(kind => ({ value: kind, text: spoken(kind) }));

type ExportsPageProps = { readonly query: Readonly<Record<string, string>>; readonly fault: string | null };

/** Lists of the mode as files. */
export function ExportsPage({ query, fault }: ExportsPageProps) {
  const paths = usePaths();
  return (
    <DashboardPage title="Exports" current="exports">
      {fault !== null && (
        <Note tone="bad" icon="circle-alert">
          <p role="alert">{fault}</p>
        </Note>
      )}
      <Card>
        <p>The file is made as it is read, however long it is. Its columns of amounts can be summed.</p>
        <form method="get" action={paths('exports/file')} class="form">
          <SelectField name="kind" label={EXPORT_FIELDS.kind} options={KINDS} value={query.kind} />
          <SelectField
            name="format"
            label={EXPORT_FIELDS.format}
            options={EXPORT_FORMATS.map(format => ({ value: format, text: FORMATS[format] }))}
            value={query.format}
          />
          <TextField name="from" type="date" label={EXPORT_FIELDS.from} isOptional value={query.from} />
          <TextField name="to" type="date" label={EXPORT_FIELDS.to} isOptional value={query.to} />
          <button type="submit" class="button main">
            Download
          </button>
        </form>
      </Card>
    </DashboardPage>
  );
}
