import { Argument, Command, Option } from 'commander';
import { LiftKillSwitch, SetKillSwitch } from '../../modules/kill-switches/kill-switch.command';
import { KILL_SWITCH_GROUNDS, type KillSwitchGround } from '../../modules/kill-switches/kill-switch.events';
import { killSwitchesReadModel } from '../../modules/kill-switches/kill-switches.read-model';
import { everyDocument } from '../../kernel/every-document';
import type { Mode } from '../../vocabulary/modes';
import { refuseAlone } from '../act-or-propose';
import { example, perform, table, type Answer, type Session } from '../cli-command';
import { executeCommand } from '../nest-commands';
import { operatorContext } from '../operator-context';
import type { Toolbox } from '../toolbox';

const PAGE = 100;
const BY_APPROVAL = 'Two owners are active, so the approval of a case alone lifts this: `quittance kyb approve`.';

type StopOptions = { readonly mode: Mode; readonly reason: string; readonly ground?: KillSwitchGround };
type Target = { readonly scope: string; readonly subject: string };

export function killSwitchCommand(session: Session): Command {
  const killSwitch = new Command('kill-switch').description(
    'Stops new payments of a merchant, on a network or in an asset. Payments under way are carried on.',
  );
  aimed(killSwitch, 'set')
    .description(
      'Sets a switch, which answers on the next request. A further reason takes the place of the former one.',
    )
    .requiredOption('--reason <text>', 'why, in one line')
    .addHelpText('after', example('kill-switch set network tron --reason "The network stands still."'))
    .action((scope: string, subject: string, options: StopOptions, command: Command) =>
      perform(session, command, toolbox => set(toolbox, { scope, subject }, options)),
    );
  aimed(killSwitch, 'lift')
    .description(
      'Lifts a switch. The stop of a merchant that is not verified is of the ground kyb: an approval lifts it.',
    )
    .requiredOption('--reason <text>', 'why, in one line')
    .addOption(new Option('--ground <ground>', 'whose stop').choices(KILL_SWITCH_GROUNDS).default('operator'))
    .addHelpText('after', example('kill-switch lift network tron --reason "It makes blocks again."'))
    .action((scope: string, subject: string, options: StopOptions, command: Command) =>
      perform(session, command, toolbox => lift(toolbox, { scope, subject }, options)),
    );
  killSwitch
    .command('list')
    .description('The switches that are set now, with their grounds and reasons.')
    .addHelpText('after', example('kill-switch list'))
    .action((_: object, command: Command) => perform(session, command, list));
  return killSwitch;
}

function aimed(killSwitch: Command, name: string): Command {
  return killSwitch
    .command(name)
    .addArgument(new Argument('<scope>', 'merchant, network or asset'))
    .addArgument(
      new Argument(
        '<subject>',
        'id of the merchant, such as mch_…; the network, such as tron; the asset, such as USDT',
      ),
    )
    .addOption(new Option('--mode <mode>', 'mode that is stopped').choices(['live', 'test']).default('live'));
}

async function set(toolbox: Toolbox, { scope, subject }: Target, { mode, reason }: StopOptions): Promise<Answer> {
  const stop = { mode, ground: 'operator' } as const;
  await executeCommand(toolbox, new SetKillSwitch(scope, subject, stop, reason, operatorContext(toolbox)));
  const lines = [`New payments of ${scope} ${subject} are stopped (${mode} mode).`];
  return { json: { scope, subject, ...stop, reason }, lines };
}

async function lift(
  toolbox: Toolbox,
  { scope, subject }: Target,
  { mode, reason, ground = 'operator' }: StopOptions,
): Promise<Answer> {
  // Without this stop a merchant takes live payments, which is the effect of an approval of four eyes.
  if (ground === 'kyb') await refuseAlone(toolbox, BY_APPROVAL);
  const context = operatorContext(toolbox);
  const wasSet = await executeCommand(toolbox, new LiftKillSwitch(scope, subject, { mode, ground }, reason, context));
  const found = await toolbox.readModels.get(killSwitchesReadModel, 'platform', `${scope}:${subject}`);
  const left = found?.body.stops.filter(stop => stop.mode === mode) ?? [];
  const done = wasSet ? 'The switch is lifted' : 'No such switch was set';
  const grounds = left.map(stop => `${stop.ground}: ${stop.reason}`).join('; ');
  const rest = left.length > 0 ? `New payments stay stopped: ${grounds}` : 'Nothing else stops new payments here.';
  return {
    json: { scope, subject, mode, ground, was_set: wasSet, stops: left },
    lines: [`${done} (${scope} ${subject}, ${mode} mode, ${ground}).`, rest],
  };
}

async function list({ readModels }: Toolbox): Promise<Answer> {
  const query = { index: 'by_set', equals: { is_set: true }, limit: PAGE };
  const stops: object[] = [];
  const rows: string[][] = [];
  for await (const { body } of everyDocument(readModels, killSwitchesReadModel, query)) {
    const { scope, subject } = body;
    for (const stop of body.stops) {
      stops.push({ scope, subject, ...stop });
      rows.push([scope, subject, stop.mode, stop.ground, stop.set_at, stop.reason]);
    }
  }
  return { json: { kill_switches: stops }, lines: rows.length > 0 ? table(rows) : ['No kill switch is set.'] };
}
