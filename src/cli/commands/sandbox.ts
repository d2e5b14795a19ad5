import path from 'node:path';
import { Command } from 'commander';
import type { Clock } from '../../kernel/clock';
import type { Config } from '../../platform/config/config';
import { example, performWithoutData, type Answer, type Session } from '../cli-command';

export function sandboxCommand(session: Session): Command {
  const sandbox = new Command('sandbox').description('The local chains of test mode.');
  sandbox
    .command('stop')
    .description('Ends the local chains of the data folder, which outlive the service.')
    .addHelpText('after', example('sandbox stop'))
    .action((_: object, command: Command) => performWithoutData(session, command, stop));
  return sandbox;
}

async function stop({ config, clock }: { readonly config: Config; readonly clock: Clock }): Promise<Answer> {
  const { SandboxChain } = await import('../../sandbox/sandbox-chain.js');
  const stopped = await SandboxChain.stopFolder(config.dataFolder, clock);
  const lines = stopped.map(network => `The local chain of ${network} was ended.`);
  return {
    json: { stopped },
    lines: lines.length > 0 ? lines : [`No local chain of ${path.resolve(config.dataFolder)} was running.`],
  };
}
