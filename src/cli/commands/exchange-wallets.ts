import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { Command } from 'commander';
import { refuse } from '../../vocabulary/errors';
import { exchangeWalletId, exchangeWallets } from '../../modules/wallets/exchange-wallet.decider';
import { MAX_ROWS, readExchangeRows, ROW_FIELDS, type RowFault } from '../../modules/wallets/exchange-wallet-rows';
import { example, perform, type Answer, type Session } from '../cli-command';
import { CsvFault, parseCsv } from '../csv';
import { operatorContext } from '../operator-context';
import { ProgressBar } from '../progress-bar';
import { EXIT_CODES, type Terminal } from '../terminal';
import type { Toolbox } from '../toolbox';

const MAX_FILE_BYTES = 64 * 1_024 * 1_024;
/** Bad rows that are named; further ones are counted. */
const FAULTS_SHOWN = 100;

export function exchangeWalletsCommand(session: Session): Command {
  const list = new Command('exchange-wallets').description(
    'Addresses whose key an exchange holds: no merchant may register one.',
  );
  list
    .command('import')
    .description(
      `Adds the rows of a JSON list or a CSV file to the list, all or none. Fields: ${ROW_FIELDS.join(', ')}.`,
    )
    .argument('<file>', 'its name ends in .json or .csv')
    .addHelpText('after', example('exchange-wallets import exchange-wallets.csv'))
    .action((file: string, _: object, command: Command) =>
      perform(session, command, (toolbox, terminal) => importFile(toolbox, terminal, file)),
    );
  return list;
}

/** Rows that are already listed in the same way change nothing, so an interrupted import can be run again. */
async function importFile(toolbox: Toolbox, terminal: Terminal, file: string): Promise<Answer> {
  const rows = readRows(file);
  if (rows.length > MAX_ROWS) throw unusable(`${file} has more than ${MAX_ROWS} rows.`);
  const read = readExchangeRows(rows);
  if ('faults' in read) return refusal(read.faults, rows.length);
  const bar = new ProgressBar(terminal, toolbox.clock, 'importing');
  const context = operatorContext(toolbox);
  let imported = 0;
  try {
    for (const [index, listing] of read.listings.entries()) {
      terminal.signal.throwIfAborted();
      const id = exchangeWalletId(listing.network_id, listing.address);
      const { events } = await toolbox.writes.execute(exchangeWallets, id, { type: 'list', listing }, context);
      imported += events.length;
      bar.show(index + 1, read.listings.length);
    }
  } finally {
    bar.end();
  }
  const unchanged = rows.length - imported;
  return {
    json: { imported, unchanged, faults: [] },
    lines: [`${imported} of ${rows.length} rows imported; ${unchanged} were listed so already.`],
  };
}

function refusal(faults: readonly RowFault[], count: number): Answer {
  const shown = faults.slice(0, FAULTS_SHOWN);
  const further = faults.length - shown.length;
  return {
    json: { imported: 0, unchanged: 0, faults: shown, further_faults: further },
    lines: [
      ...shown.map(({ row, problem }) => `row ${row}: ${problem}`),
      ...(further > 0 ? [`and ${further} more`] : []),
      `${faults.length} of ${count} rows are bad: nothing was imported.`,
    ],
    exitCode: EXIT_CODES.failed,
  };
}

/** Throws Refusal parameter_invalid, naming `file`, where the file's content is not of the type that its name says. */
function readRows(file: string): readonly unknown[] {
  const kind = extname(file).toLowerCase();
  if (kind !== '.json' && kind !== '.csv') throw unusable(`${file} is neither .json nor .csv.`);
  const text = readText(file);
  try {
    if (kind === '.csv') return parseCsv(text).map(typedRow);
    const rows: unknown = JSON.parse(text);
    if (Array.isArray(rows)) return rows;
  } catch (cause) {
    if (cause instanceof CsvFault) throw unusable(`${file}: ${cause.message}`, cause);
    throw unusable(`${file} is not JSON.`, cause);
  }
  throw unusable(`${file} is not a JSON list.`);
}

function readText(file: string): string {
  try {
    if (statSync(file).size <= MAX_FILE_BYTES) return readFileSync(file, 'utf8');
  } catch (cause) {
    throw unusable(`${file} cannot be read: ${(cause as Error).message}`, cause);
  }
  throw unusable(`${file} is larger than ${MAX_FILE_BYTES} bytes.`);
}

/** CSV has no null and no booleans. */
function typedRow(row: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const { source_ref, active } = row;
  const truth = active === 'true' || active === 'false' ? active === 'true' : active;
  return { ...row, ...('active' in row && { active: truth }), ...(source_ref === '' && { source_ref: null }) };
}

function unusable(message: string, cause?: unknown): Error {
  return refuse('parameter_invalid', { param: 'file', message, cause });
}
