import { Inject, Injectable } from '@nestjs/common';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { FileAnswer } from '../../../platform/http/file-answer';
import { parseFilters } from '../../../platform/http/lists';
import type { Mode, Universe } from '../../../vocabulary/modes';
import { ExportsUnderWay } from '../exports-under-way';
import {
  askedExport,
  exportFileName,
  exportParts,
  tableTexts,
  type AskedExport,
  type ExportFormat,
  type Table,
} from '../queries/export-file';
import type { ExportKindName } from '../queries/export-kinds';

/** The account whose list is exported, at a moment by its clock. */
type Exporter = { readonly merchantId: string; readonly mode: Mode; readonly nowMs: number };

/** A list above all accounts, and the administrator who asks for it. */
type TableFacts = {
  readonly list: string;
  readonly mode: Universe;
  readonly asker: string;
  readonly nowMs: number;
};

const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

/** Exports as files, for keys and for people alike. */
@Injectable()
export class ExportFiles {
  constructor(
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly underWay: ExportsUnderWay,
  ) {}

  /** Throws the refusals of `askedExport`, invalid_filter, and rate_limit while too many are under way. */
  begin(kind: ExportKindName, exporter: Exporter, query: Readonly<Record<string, unknown>>): Promise<FileAnswer> {
    const { format: text, from, to } = parseFilters(query, ['format', 'from', 'to']);
    const asked = askedExport({ format: text, from, to });
    const { merchantId, mode, nowMs } = exporter;
    const source = { readModels: this.readModels, merchantId, mode, ...(asked.range && { range: asked.range }) };
    const parts = this.underWay.counted(exporter, texts(exportParts(kind, asked.format, source)));
    const name = exportFileName(kind, mode, asked, nowMs);
    return FileAnswer.begin({ name, contentType: CONTENT_TYPES[asked.format] }, parts);
  }

  /** The file of a list that belongs to no account. Throws Refusal rate_limit while too many are under way. */
  beginTable({ list, mode, asker, nowMs }: TableFacts, asked: AskedExport, table: Table): Promise<FileAnswer> {
    const parts = this.underWay.counted({ merchantId: asker, mode }, tableTexts(asked.format, table));
    const facts = { name: exportFileName(list, mode, asked, nowMs), contentType: CONTENT_TYPES[asked.format] };
    return FileAnswer.begin(facts, parts);
  }
}

async function* texts(parts: ReturnType<typeof exportParts>): AsyncGenerator<string> {
  for await (const { text } of parts) yield text;
}
