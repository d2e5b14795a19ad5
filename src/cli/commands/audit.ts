import { Command } from 'commander';
import { BoundedMap } from '../../kernel/bounded-map';
import type { RecordedEvent } from '../../kernel/event';
import { START_OF_LOG, type EventStore } from '../../kernel/ports/event-store';
import { CATEGORIES } from '../../composition/aggregates';
import { example, perform, type Answer, type Session } from '../cli-command';
import { faultOf, linkOf, NO_LINK, type Fault, type Link } from '../hash-chain-check';
import { ProgressBar } from '../progress-bar';
import { EXIT_CODES, type Terminal } from '../terminal';
import type { Toolbox } from '../toolbox';

/** Streams whose last hash is kept in memory; the hash of any other stream is read from the store. */
const LINKS_LIMIT = 100_000;

export function auditCommand(session: Session): Command {
  const audit = new Command('audit').description('Evidence that the log is what was written.');
  audit
    .command('verify')
    .description(
      'Computes every event’s hash anew and follows every stream’s chain. Names the first event that differs.',
    )
    .addHelpText('after', example('audit verify'))
    .action((_: object, command: Command) => perform(session, command, verify));
  return audit;
}

type Broken = Pick<RecordedEvent, 'stream' | 'revision' | 'position' | 'type'> & { readonly fault: Fault };

async function verify({ recordedStore: store, clock }: Toolbox, terminal: Terminal): Promise<Answer> {
  const bar = new ProgressBar(terminal, clock, 'verifying hash chains');
  const chains = new Chains(store);
  const head = await store.lastPosition();
  let events = 0;
  let broken: Broken | null = null;
  try {
    const done = new AbortController();
    const until = AbortSignal.any([terminal.signal, done.signal]);
    const log = head === START_OF_LOG ? [] : store.subscribe({ categories: CATEGORIES }, START_OF_LOG, until);
    for await (const batch of log) {
      for (const event of batch.events) {
        const fault = await chains.faultOf(event);
        if (fault) {
          const { stream, revision, position, type } = event;
          broken = { stream, revision, position, type, fault };
          break;
        }
        events++;
      }
      bar.reach(batch.events.at(-1)?.metadata.recorded_at ?? null);
      if (broken || batch.live || batch.position >= head) break;
    }
    done.abort();
    terminal.signal.throwIfAborted();
  } finally {
    bar.end();
  }
  const json = { intact: broken === null, events, streams: chains.streams, first_broken: broken };
  const lines = broken
    ? [`${broken.stream}#${broken.revision} (${broken.type}, position ${broken.position}): ${broken.fault}.`]
    : [`The hash chains hold: ${events} events in ${chains.streams} streams.`];
  return { json, lines, exitCode: broken ? EXIT_CODES.failed : EXIT_CODES.ok };
}

/** The hash chain of every stream, followed in log order. */
class Chains {
  streams = 0;
  private readonly links = new BoundedMap<string, Link>(LINKS_LIMIT);

  constructor(private readonly store: EventStore) {}

  async faultOf(event: RecordedEvent): Promise<Fault | null> {
    const { stream, revision } = event;
    if (revision === 0) this.streams++;
    const fault = faultOf(event, await this.linkBefore(event));
    this.links.set(stream, linkOf(event));
    return fault;
  }

  private async linkBefore({ stream, revision }: RecordedEvent): Promise<Link> {
    const known = this.links.get(stream);
    if (known) return known;
    if (revision === 0) return NO_LINK;
    // The event's own hash was found right when the log was at that event.
    const [before] = await this.store.readStream(stream, { from: revision - 1, limit: 1 });
    return before?.revision === revision - 1 ? linkOf(before) : NO_LINK;
  }
}
