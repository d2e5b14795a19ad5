import { Command, InvalidArgumentError } from 'commander';
import { everyDocument } from '../../kernel/every-document';
import type { Document } from '../../kernel/ports/documents';
import { presentReconciliation } from '../../modules/books/api/reconciliation.presenter';
import { BooksStatement } from '../../modules/books/books-statement';
import { reconciliationsReadModel, type ReconciliationDocument } from '../../modules/books/reconciliations.read-model';
import { dayRange, daysOfMonth, isDay, isMonth } from '../../modules/books/utc-day';
import { isId } from '../../vocabulary/ids';
import { example, perform, table, type Answer, type Session } from '../cli-command';
import { ProgressBar } from '../progress-bar';
import { EXIT_CODES, type Terminal } from '../terminal';
import type { Toolbox } from '../toolbox';
import { writeWhole } from '../whole-file';

const PAGE = 500;

type ReconcileOptions = { readonly merchant?: string; readonly from?: string; readonly to?: string };
type StatementOptions = { readonly month: string; readonly merchant?: string; readonly pdf?: string };
type Day = Document<ReconciliationDocument>;

export function reconcileCommand(session: Session): Command {
  const reconcile = new Command('reconcile')
    .description(
      'The books: each wallet’s balance on the chain against the log, by token and day of UTC. Lists the days that differ or are pending, and counts the others. Fails where a day differs.',
    )
    .option('--merchant <id>', 'the days of this merchant alone', merchantOption)
    .option('--from <day>', 'that day or a later one', dayOption)
    .option('--to <day>', 'that day or an earlier one', dayOption)
    .addHelpText('after', example('reconcile --from 2026-11-01 --to 2026-11-30'))
    .action((options: ReconcileOptions, command: Command) =>
      perform(session, command, (...given) => report(...given, options)),
    );
  reconcile
    .command('statement')
    .description('An accountant’s statement of a month as CSV: a row for each wallet and token.')
    .requiredOption('--month <month>', 'a month of UTC, such as 2026-11', monthOption)
    .option('--merchant <id>', 'the wallets of this merchant alone', merchantOption)
    .option('--pdf <file>', 'the statement as a PDF for people, in the file alone')
    .addHelpText('after', example('reconcile statement --month 2026-11 > november.csv'))
    .addHelpText('after', example('reconcile statement --month 2026-11 --pdf november.pdf'))
    // The parent has an option of the same name, and takes its value.
    .action((_: object, command: Command) =>
      perform(session, command, (...given) => statement(...given, command.optsWithGlobals<StatementOptions>())),
    );
  return reconcile;
}

async function report(toolbox: Toolbox, terminal: Terminal, options: ReconcileOptions): Promise<Answer> {
  const counts = { balanced: 0, different: 0, pending: 0 };
  const listed: Day[] = [];
  for await (const day of daysOf(toolbox, terminal, options)) {
    counts[day.body.status] += 1;
    if (day.body.status !== 'balanced') listed.push(day);
  }
  const days = listed.map(day => ({ merchant: day.body.merchant_id, ...presentReconciliation(day) }));
  const summary = `${counts.balanced} days are balanced, ${counts.different} differ, ${counts.pending} are pending.`;
  const rows = days.map(({ day, mode, merchant, wallet, token_id, status, difference }) => [
    ...[day, mode, merchant, wallet, token_id, status, difference ?? ''],
  ]);
  return {
    json: { ...counts, days },
    lines: [...(rows.length > 0 ? table(rows) : []), ...days.flatMap(namesOf), summary],
    exitCode: counts.different > 0 ? EXIT_CODES.failed : EXIT_CODES.ok,
  };
}

function namesOf({ day, wallet, differences }: ReturnType<typeof presentReconciliation>): readonly string[] {
  return differences.map(({ kind, token_amount, tx_hash, log_index }) => {
    const place = tx_hash === null ? '' : ` in ${tx_hash} at log ${log_index}`;
    return `${day} ${wallet}: ${kind} ${token_amount}${place}`;
  });
}

async function statement(toolbox: Toolbox, terminal: Terminal, options: StatementOptions): Promise<Answer> {
  const { month, merchant, pdf } = options;
  const months = new BooksStatement(month);
  const span = daysOfMonth(month);
  for await (const { body } of daysOf(toolbox, terminal, { ...span, ...(merchant !== undefined && { merchant }) }))
    months.add(body);
  const wallets = months.rows();
  if (pdf === undefined) return { json: { month, wallets }, lines: months.csv() };
  // Other commands do not wait for the library of PDFs.
  const { statementPdf } = await import('../../../web/pdf/statement-pdf.js');
  await writeWhole({ file: pdf, option: '--pdf' }, [await statementPdf(months)], terminal.signal);
  const count = `${wallets.length} ${wallets.length === 1 ? 'row' : 'rows'}`;
  return { json: { month, wallets, file: pdf }, lines: [`${count} in ${pdf}.`] };
}

/** By mode and day. */
async function* daysOf(
  { config, readModels, documents, clock }: Toolbox,
  terminal: Terminal,
  { merchant, from, to }: ReconcileOptions,
): AsyncGenerator<Day> {
  const range = dayRange(from, to);
  const bar = new ProgressBar(terminal, clock, 'Reading the books');
  const total = await (await documents.open(reconciliationsReadModel)).count();
  let read = 0;
  try {
    for (const mode of config.modes) {
      const index = merchant === undefined ? 'by_day' : 'by_merchant';
      const equals = { ...(merchant !== undefined && { merchant_id: merchant }), mode };
      const query = { index, equals, ...(range && { range }), limit: PAGE };
      for await (const day of everyDocument(readModels, reconciliationsReadModel, query)) {
        bar.show(++read, total);
        yield day;
      }
    }
  } finally {
    bar.end();
  }
}

function dayOption(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('The day must be one such as 2026-11-21.');
}

function monthOption(text: string): string {
  if (isMonth(text)) return text;
  throw new InvalidArgumentError('The month must be one such as 2026-11.');
}

function merchantOption(text: string): string {
  if (isId('mch', text)) return text;
  throw new InvalidArgumentError('A merchant is named by an id that begins with mch_.');
}
