import { Argument, Command } from 'commander';
import { groupStandings, parkedMessages } from '../../composition/group-standings';
import { SECOND_MS } from '../../kernel/clock';
import { GROUP_NAMES, type GroupName } from '../../modules/system/group-names';
import { ReplayParkedMessages } from '../../modules/system/maintenance.command';
import { refuse } from '../../vocabulary/errors';
import { example, perform, table, type Answer, type Session } from '../cli-command';
import { executeCommand } from '../nest-commands';
import { operatorContext } from '../operator-context';
import { EXIT_CODES } from '../terminal';
import type { Toolbox } from '../toolbox';

export function groupsCommand(session: Session): Command {
  const groups = new Command('groups').description('Groups by which processes follow the log, and parked messages.');
  groups
    .command('status')
    .description('How far each group has handled the log. Fails when one has parked a message.')
    .addHelpText('after', example('groups status'))
    .action((_: object, command: Command) => perform(session, command, toolbox => ofService(status(toolbox))));
  groups
    .command('parked')
    .description('The first messages that a group has parked, since they failed again and again.')
    .addArgument(nameArgument())
    .addHelpText('after', example('groups parked webhooks'))
    .action((group: GroupName, _: object, command: Command) =>
      perform(session, command, toolbox => ofService(parked(toolbox, group))),
    );
  groups
    .command('replay')
    .description('Has the parked messages of a group tried anew.')
    .addArgument(nameArgument())
    .requiredOption('--reason <text>', 'why; the log keeps it')
    .addHelpText('after', example('groups replay webhooks --reason "the fault is mended"'))
    .action((group: GroupName, { reason }: { readonly reason: string }, command: Command) =>
      perform(session, command, toolbox => ofService(replay(toolbox, group, reason))),
    );
  return groups;
}

/** Groups come about as a service first starts. Throws Refusal resource_missing before that. */
async function ofService(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw refuse('resource_missing', { message: 'No service has followed this log yet.', cause });
  }
}

function nameArgument(): Argument {
  return new Argument('<group>').choices(GROUP_NAMES);
}

async function status(toolbox: Toolbox): Promise<Answer> {
  const groups = await groupStandings(toolbox);
  const rows = groups.map(({ group, parked: count, lag_ms: lagMs }) => [
    group,
    `${count} parked`,
    lagMs === null ? '?' : `${Math.ceil(lagMs / SECOND_MS)} s`,
  ]);
  const isParked = groups.some(group => group.parked > 0);
  return {
    json: { groups },
    lines: table([['group', 'parked', 'lag'], ...rows]),
    exitCode: isParked ? EXIT_CODES.failed : EXIT_CODES.ok,
  };
}

async function parked({ store }: Toolbox, group: GroupName): Promise<Answer> {
  const messages = await parkedMessages(store, group);
  const rows = messages.map(({ stream, revision, type, recorded_at: at }) => [`${stream}#${revision}`, type, at]);
  return { json: { messages }, lines: messages.length > 0 ? table(rows) : ['No message is parked.'] };
}

/** Throws Refusal invalid_reason, or invalid_state_transition where nothing is parked. */
async function replay(toolbox: Toolbox, group: GroupName, reason: string): Promise<Answer> {
  await executeCommand(toolbox, new ReplayParkedMessages(group, reason, operatorContext(toolbox)));
  return { json: { replayed: group }, lines: [`The parked messages of ${group} are tried anew.`] };
}
