import { Argument, Command, InvalidArgumentError } from 'commander';
import { ALL_PROJECTIONS } from '../../../projections/all';
import type { Projection } from '../../kernel/projection';
import type { BuildParts } from '../../../projections/runner/projection-build';
import { documentsAsOf, rebuildProjection } from '../../../projections/runner/rebuild';
import { verifyProjection, type Verification } from '../../../projections/runner/verify';
import type { JsonObject } from '../../vocabulary/json';
import { example, momentOption, perform, table, type Answer, type Session } from '../cli-command';
import { ProgressBar } from '../progress-bar';
import { projectionStatus } from '../projection-status';
import { EXIT_CODES, type Terminal } from '../terminal';
import type { Toolbox } from '../toolbox';

type Chosen = readonly Projection[];

export function projectionsCommand(session: Session): Command {
  const projections = new Command('projections').description('Read models: how far they are, rebuilding, verifying.');
  projections
    .command('status')
    .description('How far each read model has followed the log. Fails when one has stopped.')
    .addHelpText('after', example('projections status'))
    .action((_: object, command: Command) => perform(session, command, projectionStatus));
  projections
    .command('rebuild')
    .description('Builds read models anew from the log, beside the live ones, and switches.')
    .addArgument(nameArgument('all of them unless named'))
    .option(
      '--as-of <time>',
      'print the documents as of then, a line each, and leave the live ones alone',
      momentOption,
    )
    .addHelpText('after', example('projections rebuild payment_intents'))
    .action(async (chosen: Chosen, { asOf }: { asOf?: number }, command: Command) => {
      if (asOf === undefined) return perform(session, command, (...given) => rebuild(...given, chosen));
      const [projection, ...more] = chosen;
      if (!projection || more.length > 0) command.error('error: --as-of needs the name of one projection');
      return perform(session, command, (...given) => printAsOf(...given, projection, asOf));
    });
  projections
    .command('verify')
    .description('Rebuilds read models aside and compares. Fails when one differs, and names its first document.')
    .addArgument(nameArgument('all of them unless named'))
    .addHelpText('after', example('projections verify --json'))
    .action((chosen: Chosen, _: object, command: Command) =>
      perform(session, command, (...given) => verify(...given, chosen)),
    );
  return projections;
}

function nameArgument(description: string): Argument {
  return new Argument('[name]', description).default(ALL_PROJECTIONS, 'all').argParser((name: string): Chosen => {
    const found = ALL_PROJECTIONS.filter(projection => projection.name === name);
    if (found.length === 0)
      throw new InvalidArgumentError(`The projections are ${ALL_PROJECTIONS.map(value => value.name).join(', ')}.`);
    return found;
  });
}

async function rebuild(toolbox: Toolbox, terminal: Terminal, chosen: Chosen): Promise<Answer> {
  const rebuilt = [];
  for (const projection of chosen) {
    rebuilt.push(await withProgress(toolbox, terminal, projection, 'rebuilding', rebuildProjection));
  }
  const lines = table(rebuilt.map(({ projection, events, position }) => [
    projection, `${events} events`, `position ${position}`,
  ])); // prettier-ignore
  return { json: { projections: rebuilt }, lines };
}

async function printAsOf(
  toolbox: Toolbox,
  terminal: Terminal,
  projection: Projection,
  asOfMs: number,
): Promise<Answer> {
  const print = async (parts: BuildParts<JsonObject>): Promise<void> => {
    for await (const { id, version, body } of documentsAsOf(parts, asOfMs)) {
      terminal.out(`${JSON.stringify({ id, version, body })}\n`);
    }
  };
  await withProgress(toolbox, terminal, projection, 'folding', print);
  return { json: null, lines: [] };
}

async function verify(toolbox: Toolbox, terminal: Terminal, chosen: Chosen): Promise<Answer> {
  const verified: Verification[] = [];
  for (const projection of chosen) {
    verified.push(await withProgress(toolbox, terminal, projection, 'verifying', verifyProjection));
  }
  const projections = verified.map(({ sha256Live, sha256Rebuilt, difference, ...facts }) => ({
    ...facts,
    sha256_live: sha256Live,
    sha256_rebuilt: sha256Rebuilt,
    difference: difference && {
      id: difference.id,
      kind: difference.kind,
      live_version: difference.liveVersion,
      rebuilt_version: difference.rebuiltVersion,
    },
  }));
  const lines = table(projections.map(({ projection, equal, documents, difference, sha256_live }) => [
    projection, `${documents} documents`, equal ? 'equal' : `${difference?.kind}: ${difference?.id}`, sha256_live,
  ])); // prettier-ignore
  const isEqual = projections.every(({ equal }) => equal);
  return { json: { projections }, lines, exitCode: isEqual ? EXIT_CODES.ok : EXIT_CODES.failed };
}

async function withProgress<Result>(
  { store, documents, clock }: Toolbox,
  terminal: Terminal,
  projection: Projection,
  doing: string,
  work: (parts: BuildParts<JsonObject>) => Promise<Result>,
): Promise<Result> {
  const bar = new ProgressBar(terminal, clock, `${doing} ${projection.name}`);
  const onProgress: BuildParts<JsonObject>['onProgress'] = ({ recordedAt }) => bar.reach(recordedAt);
  try {
    return await work({ store, documents, clock, projection, onProgress, signal: terminal.signal });
  } finally {
    bar.end();
  }
}
