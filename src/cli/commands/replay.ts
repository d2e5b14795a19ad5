import { Argument, Command, InvalidArgumentError } from 'commander';
import { ALL_PROJECTIONS } from '../../../projections/all';
import { foldEvents } from '../../../projections/runner/document-changes';
import { isoTime, parseIsoTime } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import { mirroredCategory } from '../../kernel/projection';
import { parseStreamName, type Actor, type RecordedEvent } from '../../kernel/event';
import { example, momentOption, perform, type Answer, type Session } from '../cli-command';
import { faultOf, linkOf, NO_LINK, type Fault } from '../hash-chain-check';
import { EXIT_CODES } from '../terminal';
import type { Toolbox } from '../toolbox';

const EVENTS_PER_PAGE = 1_000;
/** The write path keeps streams far below this limit; of a longer stream, the events up to the limit are read. */
const EVENTS_LIMIT = 100_000;

export function replayCommand(session: Session): Command {
  return new Command('replay')
    .description(
      'Prints a stream’s history and what it came to, and verifies its hash chain. Fails when that is broken.',
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

async function replay(toolbox: Toolbox, stream: string, asOfMs: number | null): Promise<Answer> {
  const whole = await readWhole(toolbox, stream);
  if (whole.length === 0)
    throw refuse('resource_missing', { param: 'stream', message: `There is no stream ${stream}.` });
  const broken = firstFault(whole);
  const events = whole.filter(({ metadata }) => asOfMs === null || parseIsoTime(metadata.recorded_at) <= asOfMs);
  const documents = documentsOf(stream, events);
  const json = {
    stream,
    as_of: asOfMs === null ? null : isoTime(asOfMs),
    chain_intact: broken === null,
    broken_at: broken,
    events: events.map(event => ({
      revision: event.revision,
      position: event.position,
      type: event.type,
      actor: describeActor(event.metadata.actor),
      occurred_at: event.metadata.occurred_at,
      recorded_at: event.metadata.recorded_at,
      data: event.data,
    })),
    documents,
  };
  const lines = [
    ...json.events.map(
      ({ revision, type, actor, occurred_at, data }) =>
        `#${revision}  ${occurred_at}  ${type}  by ${actor}  ${JSON.stringify(data)}`,
    ),
    ...documents.map(({ projection, id, body }) => `${projection} ${id}: ${JSON.stringify(body)}`),
    broken
      ? `The hash chain is broken at #${broken.revision}: ${broken.fault}.`
      : `The hash chain holds over all ${whole.length} events.`,
  ];
  return { json, lines, exitCode: broken ? EXIT_CODES.failed : EXIT_CODES.ok };
}

async function readWhole({ recordedStore: store }: Toolbox, stream: string): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  while (events.length < EVENTS_LIMIT) {
    const page = await store.readStream(stream, { from: (events.at(-1)?.revision ?? -1) + 1, limit: EVENTS_PER_PAGE });
    events.push(...page);
    if (page.length < EVENTS_PER_PAGE) break;
  }
  return events;
}

function firstFault(events: readonly RecordedEvent[]): { readonly revision: number; readonly fault: Fault } | null {
  let link = NO_LINK;
  for (const event of events) {
    const fault = faultOf(event, link);
    if (fault) return { revision: event.revision, fault };
    link = linkOf(event);
  }
  return null;
}

/** The documents that these events make in each read model that mirrors the stream. */
function documentsOf(stream: string, events: readonly RecordedEvent[]) {
  const { category } = parseStreamName(stream);
  return ALL_PROJECTIONS.filter(projection => mirroredCategory(projection) === category).flatMap(projection =>
    [...foldEvents(projection, events, () => null).values()].map(({ id, version, body }) => ({
      projection: projection.name,
      id,
      version,
      body: body as unknown,
    })),
  );
}

/** The system's own parts are known by their role; other actors are known by their id too. */
function describeActor({ role, type, id }: Actor): string {
  return type === 'system' ? role : `${role} ${id}`;
}
