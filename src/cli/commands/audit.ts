import { Command } from 'commander';
import type { RecordedEvent } from '../../kernel/event';
import { AuditRows } from '../../processes/audit/audit-rows';
import { checkAudit, rebuildAudit } from '../../processes/audit/audit-check';
import { START_OF_LOG } from '../../kernel/ports/event-store';
import { example, perform, type Answer, type Session } from '../cli-command';
import { LogAudit, type FaultyEvent } from '../log-audit';
import { ProgressBar } from '../progress-bar';
import { EXIT_CODES, type Terminal } from '../terminal';
import type { Toolbox } from '../toolbox';

/** Faults that are named; further ones are counted. */
const FAULTS_SHOWN = 100;

export function auditCommand(session: Session): Command {
  const audit = new Command('audit').description('Evidence that the log is what was written.');
  audit
    .command('verify')
    .description(
      'Reads the whole log: computes every event’s hash anew, follows every stream’s chain, and checks that events belong to ' +
        'their streams. Without a server, it also finds events that are missing from the log’s middle. Names what differs.',
    )
    .addHelpText('after', example('audit verify'))
    .action((_: object, command: Command) => perform(session, command, verify, { keys: 'unneeded' }));
  audit
    .command('verify-entries')
    .description('Makes each entry of the audit log from its event anew and compares. Fails when one differs.')
    .addHelpText('after', example('audit verify-entries'))
    .action((_: object, command: Command) => perform(session, command, verifyEntries, { keys: 'unneeded' }));
  audit
    .command('rebuild-entries')
    .description('Makes the entries of the audit log anew from the events, beside the live ones, and switches.')
    .addHelpText('after', example('audit rebuild-entries'))
    .action((_: object, command: Command) => perform(session, command, rebuildEntries, { keys: 'unneeded' }));
  return audit;
}

async function verifyEntries(toolbox: Toolbox, terminal: Terminal): Promise<Answer> {
  const check = await overEntries(toolbox, terminal, 'verifying the entries', checkAudit);
  const { equal, events, faults, faultsFound, surplus } = check;
  const json = { equal, events, faults, faults_found: faultsFound, surplus };
  const lines = equal
    ? [`The audit log has its entry for each of ${events} events.`]
    : [
        ...faults.map(({ id, kind }) => `The entry of the event ${id} is ${kind}.`),
        ...(faultsFound > faults.length ? [`and ${faultsFound - faults.length} more`] : []),
        ...(surplus > 0 ? [`Entries of no event: ${surplus}.`] : []),
      ];
  return { json, lines, exitCode: equal ? EXIT_CODES.ok : EXIT_CODES.failed };
}

async function rebuildEntries(toolbox: Toolbox, terminal: Terminal): Promise<Answer> {
  const events = await overEntries(toolbox, terminal, 'rebuilding the entries', rebuildAudit);
  return { json: { events }, lines: [`The audit log was made anew from ${events} events.`] };
}

async function overEntries<Result>(
  { store, documents, readModels, clock }: Toolbox,
  terminal: Terminal,
  what: string,
  work: (parts: Parameters<typeof checkAudit>[0]) => Promise<Result>,
): Promise<Result> {
  const bar = new ProgressBar(terminal, clock, what);
  const onEvents = (events: readonly RecordedEvent[]) => bar.reach(events.at(-1)?.metadata.recorded_at ?? null);
  try {
    const rows = new AuditRows(store, readModels);
    return await work({ store, documents, rows, signal: terminal.signal, onEvents });
  } finally {
    bar.end();
  }
}

async function verify({ recordedStore: store, clock, config }: Toolbox, terminal: Terminal): Promise<Answer> {
  const bar = new ProgressBar(terminal, clock, 'verifying the log');
  const audit = new LogAudit(store, { isDense: config.eventStoreUrl === null });
  const head = await store.lastPosition();
  const faults: FaultyEvent[] = [];
  let found = 0;
  try {
    const done = new AbortController();
    const until = AbortSignal.any([terminal.signal, done.signal]);
    const log = head === START_OF_LOG ? [] : store.subscribe('all', START_OF_LOG, until);
    for await (const batch of log) {
      for (const event of batch.events) {
        const faulty = await audit.faultsOf(event);
        found += faulty.length;
        faults.push(...faulty.slice(0, FAULTS_SHOWN - faults.length));
      }
      bar.reach(batch.events.at(-1)?.metadata.recorded_at ?? null);
      if (batch.live || batch.position >= head) break;
    }
    done.abort();
    terminal.signal.throwIfAborted();
  } finally {
    bar.end();
  }
  const { events, streams } = audit;
  const intact = found === 0;
  const json = { intact, events, streams, first_broken: faults[0] ?? null, faults, faults_found: found };
  const lines = intact ? [`The hash chains hold: ${events} events in ${streams} streams.`] : faultLines(faults, found);
  return { json, lines, exitCode: intact ? EXIT_CODES.ok : EXIT_CODES.failed };
}

function faultLines(faults: readonly FaultyEvent[], found: number): readonly string[] {
  const further = found - faults.length;
  return [
    ...faults.map(each => `${each.stream}#${each.revision} (${each.type}, position ${each.position}): ${each.fault}.`),
    ...(further > 0 ? [`and ${further} more`] : []),
  ];
}
