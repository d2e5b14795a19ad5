import type { ComponentChildren } from 'preact';
import { EXPORT_FORMATS } from '../../src/modules/exports/queries/export-file';
import { Card } from './card';
import { SelectField, TextField } from './fields';
import { Note } from './note';

const FORMATS: Readonly<Record<(typeof EXPORT_FORMATS)[number], string>> = {
  csv: 'CSV, for a spreadsheet',
  jsonl: 'JSON, an object a line',
};
export const EXPORT_FIELDS = { kind: 'List', format: 'Format', from: 'From', to: 'To' } as const;

type ExportFormProps = {
  /** The address of the file. */
  readonly action: string;
  readonly query: Readonly<Record<string, string>>;
  readonly fault: string | null;
  /** Fields before those of the format and the days. */
  readonly fields?: ComponentChildren;
  /** Says what the file is. */
  readonly children: ComponentChildren;
};

/** Asks for the format and the days of a list's file. */
export function ExportForm({ action, query, fault, fields, children }: ExportFormProps) {
  return (
    <>
      {fault !== null && (
        <Note tone="bad" icon="circle-alert">
          <p role="alert">{fault}</p>
        </Note>
      )}
      <Card>
        <p>{children}</p>
        <form method="get" action={action} class="form">
          {fields}
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
    </>
  );
}
