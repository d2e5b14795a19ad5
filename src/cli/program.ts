import { Command, CommanderError } from 'commander';
import { isRefusal } from '../vocabulary/errors';
import type { Session } from './cli-command';
import { EXIT_CODES, type ExitCode, type Terminal } from './terminal';

/** By name. Only the named command is loaded: all of them take more than a second. */
const COMMANDS: Readonly<Record<string, () => Promise<(session: Session) => Command>>> = {
  admin: async () => (await import('./commands/admin.js')).adminCommand,
  audit: async () => (await import('./commands/audit.js')).auditCommand,
  coverage: async () => (await import('./commands/coverage.js')).coverageCommand,
  'exchange-wallets': async () => (await import('./commands/exchange-wallets.js')).exchangeWalletsCommand,
  fee: async () => (await import('./commands/fee.js')).feeCommand,
  export: async () => (await import('./commands/export.js')).exportCommand,
  groups: async () => (await import('./commands/groups.js')).groupsCommand,
  key: async () => (await import('./commands/key.js')).keyCommand,
  keys: async () => (await import('./commands/keys.js')).keysCommand,
  'kill-switch': async () => (await import('./commands/kill-switch.js')).killSwitchCommand,
  kyb: async () => (await import('./commands/kyb.js')).kybCommand,
  listen: async () => (await import('./commands/listen.js')).listenCommand,
  merchant: async () => (await import('./commands/merchant.js')).merchantCommand,
  outbox: async () => (await import('./commands/outbox.js')).outboxCommand,
  projections: async () => (await import('./commands/projections.js')).projectionsCommand,
  reconcile: async () => (await import('./commands/reconcile.js')).reconcileCommand,
  replay: async () => (await import('./commands/replay.js')).replayCommand,
  route: async () => (await import('./commands/route.js')).routeCommand,
  sandbox: async () => (await import('./commands/sandbox.js')).sandboxCommand,
  sanctions: async () => (await import('./commands/sanctions.js')).sanctionsCommand,
  trigger: async () => (await import('./commands/trigger.js')).triggerCommand,
  user: async () => (await import('./commands/user.js')).userCommand,
};

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
  for (const load of commandsFor(args)) program.addCommand((await load())(session));
  configure(program, terminal);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error, terminal, args.includes('--json'));
  }
}

/** All commands where none is named, for the help and for what is told of a misspelt one. */
function commandsFor(args: readonly string[]): readonly (() => Promise<(session: Session) => Command>)[] {
  const named = Object.entries(COMMANDS).find(([name]) => name === args.find(arg => !arg.startsWith('-')));
  return named ? [named[1]] : Object.values(COMMANDS);
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
