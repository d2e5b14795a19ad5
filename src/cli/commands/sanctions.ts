import { Command } from 'commander';
import { refuse } from '../../vocabulary/errors';
import { importSanctions, type ImportReport } from '../../platform/screening/import/import-sanctions';
import type { Clock } from '../../kernel/clock';
import type { Config } from '../../platform/config/config';
import { example, performWithoutData, type Answer, type Session } from '../cli-command';
import { EXIT_CODES } from '../terminal';

/** Bad addresses that are named; further ones are counted. */
const FAULTS_SHOWN = 100;
const OFAC = 'ofac-sdn';

type ImportOptions = { readonly source: string; readonly skipInvalid?: boolean };

export function sanctionsCommand(session: Session): Command {
  const sanctions = new Command('sanctions').description('Sanctioned addresses that payers are screened against.');
  sanctions
    .command('import')
    .description(
      'Replaces what SANCTIONS_LIST_FILE holds of one source by published lists: OFAC’s sdn_advanced.xml, a .txt with an address a ' +
        'line, a .json array of addresses. All or nothing; a running service takes it up by itself.',
    )
    .argument('<file...>', 'together they are the source’s whole list')
    .option('--source <name>', 'who lists them', OFAC)
    .option('--skip-invalid', 'leave out addresses that fail their checksum, and name them')
    .addHelpText('after', example('sanctions import sdn_advanced.xml'))
    .action((files: readonly string[], options: ImportOptions, command: Command) =>
      performWithoutData(session, command, means => importFiles(means, files, options)),
    );
  return sanctions;
}

async function importFiles(
  { config, clock }: { readonly config: Config; readonly clock: Clock },
  files: readonly string[],
  { source, skipInvalid = false }: ImportOptions,
): Promise<Answer> {
  const target = config.sanctionsListFile;
  if (target === null) {
    throw refuse('invalid_config', { message: 'SANCTIONS_LIST_FILE: must say which file the service screens by.' });
  }
  const report = await importSanctions({ files, listSource: source, target, skipInvalid, nowMs: clock.now() });
  return {
    json: {
      file: target,
      source,
      published_on: report.publishedOn,
      evm: report.evm,
      tron: report.tron,
      elsewhere: report.elsewhere,
      added: report.added,
      removed: report.removed,
      faults: report.faults,
      written: report.written,
    },
    lines: [...faultLines(report), ...(report.written ? writtenLines(report, source, target) : [NOTHING_DONE])],
    exitCode: report.written ? EXIT_CODES.ok : EXIT_CODES.failed,
  };
}

const NOTHING_DONE = 'Nothing was imported: put them right, or leave them out with --skip-invalid.';

function faultLines({ faults }: ImportReport): readonly string[] {
  const shown = faults.slice(0, FAULTS_SHOWN).map(({ file, line, problem }) => `${file}, line ${line}: ${problem}`);
  const further = faults.length - shown.length;
  return [...shown, ...(further > 0 ? [`and ${further} more`] : [])];
}

function writtenLines(report: ImportReport, source: string, target: string): readonly string[] {
  const { publishedOn, evm, tron, elsewhere, added, removed } = report;
  return [
    `${evm} EVM and ${tron} TRON addresses of ${source}${publishedOn === null ? '' : `, as of ${publishedOn}`}: ${added} new, ${removed} gone.`,
    `${elsewhere} addresses are of other chains.`,
    `Written to ${target}.`,
  ];
}
