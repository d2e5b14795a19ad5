import 'reflect-metadata';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { EMBEDDED_FILE_NAME } from '../../src/platform/embedded-file/embedded-file';
import { CliSession } from './cli-support';

type Row = { readonly position: number; readonly stream: string; readonly revision: number };
type Audited = {
  readonly intact: boolean;
  readonly faults: readonly { readonly stream: string; readonly revision: number; readonly fault: string }[];
  readonly faults_found: number;
};

let made: CliSession;
let cli: CliSession;
let rows: readonly Row[];

beforeAll(async () => {
  made = new CliSession();
  for (const name of ['one', 'two', 'three']) {
    const account = ['--name', name, '--email', `${name}@example.com`, '--password', 'seven green lanterns at dusk'];
    await made.run(['merchant', 'create', ...account]);
  }
});
afterAll(() => made.end());

beforeEach(() => {
  cli = new CliSession(made);
  rows = inLog(log => log.prepare('select position, stream, revision from events order by position').all() as Row[]);
});
afterEach(() => cli.end());

/** Works on the log as a person with the file can, without any program of ours. */
function inLog<T>(work: (log: DatabaseSyncInstance) => T): T {
  const log = new DatabaseSync(join(cli.folder, EMBEDDED_FILE_NAME));
  log.exec('drop trigger if exists events_never_change; drop trigger if exists events_stay');
  try {
    return work(log);
  } finally {
    log.close();
  }
}

/** The stream of a merchant's account, which has two events at least. */
function merchantStream(index: number): string {
  const streams = [...new Set(rows.map(({ stream }) => stream))].filter(name => name.includes('.merchant-'));
  return streams[index] as string;
}

const lastOf = (stream: string): Row => rows.filter(row => row.stream === stream).at(-1) as Row;
const after = ({ position }: Row): Row => rows.find(row => row.position > position) as Row;

async function faults(): Promise<readonly string[]> {
  const audited = await cli.json<Audited>('audit', 'verify');
  expect(audited).toMatchObject({ exitCode: 1, intact: false, faults_found: audited.faults.length });
  return audited.faults.map(({ stream, revision, fault }) => `${stream}#${revision}: ${fault}`);
}

it('finds a whole log whole', async () => {
  expect(await cli.json('audit', 'verify')).toMatchObject({
    exitCode: 0,
    intact: true,
    events: rows.length,
    first_broken: null,
    faults: [],
    faults_found: 0,
  });
});

it('finds a stream that was cut in mid-log', async () => {
  const last = lastOf(merchantStream(0));
  inLog(log => log.prepare('delete from events where position = ?').run(last.position));
  const next = after(last);
  expect(await faults()).toEqual([`${next.stream}#${next.revision}: position_gap`]);
});

it('finds a stream that was removed from the middle', async () => {
  const stream = merchantStream(1);
  inLog(log => log.prepare('delete from events where stream = ?').run(stream));
  const found = await faults();
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(fault => fault.endsWith(': position_gap'))).toBe(true);
});

it('finds the events of a stream that changed places', async () => {
  const stream = merchantStream(0);
  const [one, other] = rows.filter(row => row.stream === stream) as [Row, Row];
  inLog(log => {
    const move = log.prepare('update events set position = ? where position = ?');
    for (const [to, from] of [[0, one.position], [one.position, other.position], [other.position, 0]] as const)
      move.run(to, from);
  }); // prettier-ignore
  expect(await faults()).toContain(`${stream}#0: revision_gap`);
});

it('finds events of a category that no program of ours knows', async () => {
  inLog(log => {
    const { data, metadata } = log.prepare('select data, metadata from events limit 1').get() as Record<string, string>;
    const insert = 'insert into events (stream, revision, type, id, data, metadata) values (?, ?, ?, ?, ?, ?)';
    log.prepare(insert).run('live.unknown-x', 0, 'Unknown', '00000000-0000-4000-8000-000000000000', data, metadata);
  });
  expect(await faults()).toContain('live.unknown-x#0: unknown_category');
});

it('finds an event of another kind of stream, and one of another mode', async () => {
  const [one, other] = [merchantStream(0), merchantStream(1)];
  inLog(log => {
    log.prepare(`update events set type = 'RouteSet' where stream = ? and revision = 0`).run(one);
    const metadata = `json_set(metadata, '$.mode', 'live')`;
    log.prepare(`update events set metadata = ${metadata} where stream = ? and revision = 0`).run(other);
  });
  const found = await faults();
  expect(found).toEqual(expect.arrayContaining([`${one}#0: foreign_type`, `${other}#0: mode_differs`]));
  const { out } = await cli.run(['audit', 'verify']);
  expect(out.trim().split('\n')).toHaveLength(found.length);
});
