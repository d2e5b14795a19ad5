import { Argument, Command, Option } from 'commander';
import { parseIsoTime } from '../../kernel/clock';
import type { ExportSource } from '../../modules/exports/export-source';
import {
  askedExport,
  EXPORT_FORMATS,
  exportParts,
  oldestOfExport,
  type ExportFormat,
  type ExportPart,
} from '../../modules/exports/queries/export-file';
import { EXPORT_KIND_NAMES, type ExportKindName } from '../../modules/exports/queries/export-kinds';
import { merchantsReadModel } from '../../modules/merchants/merchants.read-model';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import { example, perform, type Answer, type Session } from '../cli-command';
import { ProgressBar } from '../progress-bar';
import type { Terminal } from '../terminal';
import type { Toolbox } from '../toolbox';
import { writeWhole } from '../whole-file';

type ExportOptions = {
  readonly merchant: string;
  readonly mode: Mode;
  readonly format: ExportFormat;
  readonly from?: string;
  readonly to?: string;
  readonly out: string;
};

const MODES: readonly Mode[] = ['test', 'live'];
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const FIRST_MOMENT = 'T00:00:00.000Z';
const LAST_MOMENT = 'T23:59:59.999Z';

export function exportCommand(session: Session): Command {
  return new Command('export')
    .description('Writes a list of a merchant to a file, newest first, as the API exports it.')
    .addArgument(new Argument('<kind>', 'the list').choices(EXPORT_KIND_NAMES))
    .requiredOption('--merchant <id>', 'whose list')
    .addOption(new Option('--mode <mode>', 'of the list').choices(MODES).makeOptionMandatory())
    .addOption(new Option('--format <format>', 'CSV, or a JSON object a line').choices(EXPORT_FORMATS).default('csv'))
    .option('--from <time>', 'what was created then or later; a date means its first moment, in UTC')
    .option('--to <time>', 'what was created then or earlier; a date means its last moment, in UTC')
    .requiredOption('--out <file>', 'the file, which appears once it is whole')
    .addHelpText(
      'after',
      example(
        'export payments --merchant mch_01k9t3m5x8q2v7n4r6c1d0f8ga --mode live --from 2026-10-01 --to 2026-10-31 --out october.csv',
      ),
    )
    .action((kind: ExportKindName, options: ExportOptions, command: Command) =>
      perform(session, command, (toolbox, terminal) => exportTo(toolbox, terminal, kind, options), {
        keys: 'unneeded',
      }),
    );
}

/** Throws Refusal merchant_not_found, invalid_timestamp, invalid_range or parameter_invalid. */
async function exportTo(
  toolbox: Toolbox,
  terminal: Terminal,
  kind: ExportKindName,
  { merchant: merchantId, mode, format, from, to, out }: ExportOptions,
): Promise<Answer> {
  const asked = askedByOptions({ format, from: at(from, FIRST_MOMENT), to: at(to, LAST_MOMENT) });
  await checkMerchant(toolbox, merchantId);
  const { readModels, clock } = toolbox;
  const source = { readModels, merchantId, mode, ...(asked.range && { range: asked.range }) };
  const bar = new ProgressBar(terminal, clock, `exporting ${kind}`);
  try {
    const rows = await write(out, watched(kind, format, source, bar), terminal.signal);
    return {
      json: { kind, merchant_id: merchantId, mode, format, file: out, rows },
      lines: [`${rows} ${rows === 1 ? 'row' : 'rows'} in ${out}.`],
    };
  } finally {
    bar.end();
  }
}

function askedByOptions(given: Parameters<typeof askedExport>[0]): ReturnType<typeof askedExport> {
  try {
    return askedExport(given);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refuse(error.code, { message: error.message, param: `--${error.param}`, cause: error });
  }
}

function at(text: string | undefined, moment: string): string | undefined {
  return text !== undefined && DAY.test(text) ? `${text}${moment}` : text;
}

async function checkMerchant({ readModels }: Toolbox, id: string): Promise<void> {
  const found = isId('mch', id) ? await readModels.get(merchantsReadModel, 'platform', id) : null;
  if (!found) throw refuse('merchant_not_found', { param: '--merchant' });
}

/** The parts, while the bar shows the share of the time between the newest row and the oldest one. */
async function* watched(
  kind: ExportKindName,
  format: ExportFormat,
  source: ExportSource,
  bar: ProgressBar,
): AsyncGenerator<ExportPart> {
  const oldest = await oldestOfExport(kind, source);
  let newestMs: number | null = null;
  for await (const part of exportParts(kind, format, source)) {
    yield part;
    if (part.reached === '' || oldest === null) continue;
    const reachedMs = parseIsoTime(part.reached);
    newestMs ??= reachedMs;
    bar.show(newestMs - reachedMs, newestMs - parseIsoTime(oldest));
  }
}

/** Answers the number of rows. */
async function write(file: string, parts: AsyncGenerator<ExportPart>, signal: AbortSignal): Promise<number> {
  let count = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const { text, rows } of parts) {
      yield text;
      count += rows;
    }
  }
  await writeWhole({ file, option: '--out' }, texts(), signal);
  return count;
}
