import { Argument, Command, InvalidArgumentError } from 'commander';
import { composeStreams } from '../../composition/streams';
import { isoTime } from '../../kernel/clock';
import { parseStreamName } from '../../kernel/event';
import type { StreamEvent } from '../../modules/streams/stream-view';
import { example, momentOption, perform, type Answer, type Session } from '../cli-command';
import { EXIT_CODES } from '../terminal';
import type { Toolbox } from '../toolbox';

export function replayCommand(session: Session): Command {
  return new Command('replay')
    .description(
      'Prints a stream’s history: why each event came about, and what it changed. Prints the state in the end, and verifies the hash chain. Fails when that is broken.',
    )
    .addArgument(new Argument('<stream>', 'such as test.payment_intent-pi_…').argParser(streamArgument))
    .option('--as-of <time>', 'only what was recorded until then', momentOption)
    .addHelpText('after', example('replay test.payment_intent-pi_01hq3k8zj5x2v7m4t9c6w1p0ra --as-of 2026-11-01'))
    .action((stream: string, { asOf }: { asOf?: number }, command: Command) =>
      perform(session, command, toolbox => replay(toolbox, stream, asOf ?? null)),
    );
}

function streamArgument(text: string): string {
  try {
    parseStreamName(text);
    return text;
  } catch {
    throw new InvalidArgumentError(
      'The stream must have a name such as test.payment_intent-pi_… or platform.merchant-mch_….',
    );
  }
}

async function replay({ recordedStore }: Toolbox, stream: string, asOfMs: number | null): Promise<Answer> {
  const moment = asOfMs === null ? null : { timeMs: asOfMs };
  const view = await composeStreams(recordedStore).view(stream, moment, Infinity);
  const { chain, revisions, state } = view;
  const events = view.events.filter(({ is_later: isLater }) => !isLater);
  const json = {
    stream,
    as_of: asOfMs === null ? null : isoTime(asOfMs),
    chain_intact: chain.is_intact,
    broken_at: chain.broken_at,
    events,
    state,
  };
  const lines = [
    ...events.flatMap(eventLines),
    ...(state === null ? [] : [`State: ${JSON.stringify(state)}`]),
    chain.broken_at
      ? `The hash chain is broken at #${chain.broken_at.revision}: ${chain.broken_at.fault}.`
      : `The hash chain holds over all ${revisions} events.`,
  ];
  return { json, lines, exitCode: chain.is_intact ? EXIT_CODES.ok : EXIT_CODES.failed };
}

function eventLines(event: StreamEvent): readonly string[] {
  const { revision, occurred_at, type, actor_in_words, reason, data, changes } = event;
  return [
    `#${revision}  ${occurred_at}  ${type}  by ${actor_in_words}`,
    `    ${reason}`,
    `    data: ${JSON.stringify(data)}`,
    ...changes.map(({ field, before, after }) => `    ${field}: ${before ?? 'none'} → ${after ?? 'none'}`),
  ];
}
