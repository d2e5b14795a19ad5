import { Command, CommanderError } from 'commander';
import { isRefusal } from '../vocabulary/errors';
import type { Session } from './cli-command';
import { auditCommand } from './commands/audit';
import { coverageCommand } from './commands/coverage';
import { exchangeWalletsCommand } from './commands/exchange-wallets';
import { feeCommand } from './commands/fee';
import { exportCommand } from './commands/export';
import { keyCommand } from './commands/key';
import { keysCommand } from './commands/keys';
import { listenCommand } from './commands/listen';
import { merchantCommand } from './commands/merchant';
import { outboxCommand } from './commands/outbox';
import { projectionsCommand } from './commands/projections';
import { reconcileCommand } from './commands/reconcile';
import { replayCommand } from './commands/replay';
import { routeCommand } from './commands/route';
import { sandboxCommand } from './commands/sandbox';
import { sanctionsCommand } from './commands/sanctions';
import { triggerCommand } from './commands/trigger';
import { EXIT_CODES, type ExitCode, type Terminal } from './terminal';

const COMMANDS: readonly ((session: Session) => Command)[] = [
  auditCommand,
  coverageCommand,
  exchangeWalletsCommand,
  feeCommand,
  exportCommand,
  keyCommand,
  keysCommand,
  listenCommand,
  merchantCommand,
  outboxCommand,
  projectionsCommand,
  reconcileCommand,
  replayCommand,
  routeCommand,
  sandboxCommand,
  sanctionsCommand,
  triggerCommand,
];

/** Runs one command line; answers the exit code. Never throws. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT_CODES.ok;
  const program = new Command('quittance')
    .description(
      'Works on the service’s data, also beside a running service. `listen` and `trigger` need its address and a test key alone.',
    )
    .option('--json', 'answer with one JSON value')
    .helpOption('-h, --help', 'show how to use a command')
    .addHelpText('after', '\nExit codes: 0 done, 1 failed or found to be wrong, 2 misused.');
  const session = { terminal, answered: (code: ExitCode) => void (exitCode = code) };
  for (const command of COMMANDS) program.addCommand(command(session));
  configure(program, terminal);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error, terminal, args.includes('--json'));
  }
}

/**
 * Commander would end the process and write by itself. A subcommand takes no settings over from its parent, so each is
 * set.
 */
function configure(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  for (const subcommand of command.commands) configure(subcommand, terminal);
}

function explain(error: unknown, terminal: Terminal, isJson: boolean): ExitCode {
  // Commander has already told the fault of the command line; asking for help is no mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.misused;
  const { message } = error as Error;
  const facts = isRefusal(error) ? { code: error.code, message, param: error.param } : { code: 'failed', message };
  const where = isRefusal(error) && error.param !== null ? ` (${error.param})` : '';
  terminal.err(isJson ? `${JSON.stringify({ error: facts })}\n` : `${facts.code}: ${message}${where}\n`);
  const isMisuse = isRefusal(error, 'invalid_config') || isRefusal(error, 'invalid_signing_secret');
  return isMisuse ? EXIT_CODES.misused : EXIT_CODES.failed;
}
