import 'reflect-metadata';
import { openToolbox, type Toolbox } from '../../src/cli/toolbox';
import { isoTime } from '../../src/kernel/clock';
import { systemContext } from '../../src/kernel/command-context';
import { randomUuid } from '../../src/kernel/entropy';
import type { BlockHeader } from '../../src/kernel/ports/chain';
import { coverage, coverageStreamId } from '../../src/modules/coverage/coverage.decider';
import { OUTBOX_COLLECTION, type OutboxDocument } from '../../src/modules/outbox/outbox';
import { COVERAGE_COLLECTION, CoverageRecord, type CoverageDocument } from '../../src/watchers/coverage-record';
import { SetAside } from '../../src/watchers/set-aside';
import { CliSession } from './cli-support';

let cli: CliSession;
beforeEach(() => (cli = new CliSession()));
afterEach(() => cli.end());

const CHAIN = { mode: 'test', network: 'base', instance: '84532' } as const;
/** The head of a chain that is covered to block 3,100 was told just now. */
const START_MS = Date.now() - 3_112_000;

function block(number: number): BlockHeader {
  return { number, hash: `h${number}`, parentHash: `h${number - 1}`, timeMs: START_MS + number * 1_000 };
}

/** Works on the service's data as the watcher of one chain does. */
async function asWatcher<T>(work: (watcher: Toolbox & { readonly setAside: SetAside }) => Promise<T>): Promise<T> {
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  const { store, writes, commands, readModels, log } = toolbox;
  const setAside = new SetAside({ ...CHAIN, store, writes, commands, readModels, log });
  try {
    return await work({ ...toolbox, setAside });
  } finally {
    await toolbox.close();
  }
}

/** The data of a watcher that covered a chain from block 101 to `to`. */
function covered(to: number): Promise<void> {
  return asWatcher(async ({ documents, commands, clock, log, setAside }) => {
    const record = new CoverageRecord({
      ...CHAIN,
      providers: ['one.example', 'two.example'],
      documents: await documents.open<CoverageDocument>(COVERAGE_COLLECTION),
      commands,
      setAside,
      clock,
      log,
    });
    await record.cursor(() => Promise.resolve(block(100)));
    const headerAt = (height: number): Promise<BlockHeader> => Promise.resolve(block(height));
    for (let number = 1_100; number <= to; number += 1_000) {
      const head = block(number + 12);
      await record.advance({ agreed: block(number), scanned: head, head, headerAt, seenAtMs: head.timeMs });
    }
  });
}

function changeCoverage(change: (body: CoverageDocument) => CoverageDocument): Promise<void> {
  return asWatcher(async ({ documents }) => {
    const collection = await documents.open<CoverageDocument>(COVERAGE_COLLECTION);
    const stored = await collection.get('test:base');
    if (!stored) throw new Error('nothing is covered');
    await collection.put({ ...stored, version: 99, body: change(stored.body) });
  });
}

/** A range of the next epoch without one before it. */
async function leaveOut(): Promise<void> {
  await asWatcher(async ({ writes, entropy }) => {
    const by = { actor: 'watcher', mode: 'test', merchantId: null, now: START_MS } as const;
    const range = { from_number: 20_000, from_parent_hash: 'h19999', to_number: 20_100, to_hash: 'h20100' };
    const command = {
      type: 'seal',
      range: { ...range, to_time: isoTime(START_MS), providers: ['three.example'] },
    } as const;
    const { network, instance } = CHAIN;
    const context = systemContext(randomUuid(entropy), by);
    await writes.execute(coverage, coverageStreamId(network, instance, 1), command, context);
  });
  await changeCoverage(body => ({ ...body, sealed_to: 20_100 }));
}

/** Blocks from 3,000 to 3,009 that a watcher has set aside. Their first four have been read since. */
async function readInPart(): Promise<string> {
  await asWatcher(async ({ setAside }) => {
    const time = isoTime(block(3_000).timeMs);
    const extent = { block_number: 3_000, to_number: 3_009, block_hash: 'h3009', block_time: time, seen_at: time };
    await setAside.openHole({ ...extent, reason: 'unreadable', tx_hash: null });
    const start = { block_number: 3_004, block_time: isoTime(block(3_003).timeMs) };
    await setAside.shortenHole('base:84532:3000:h3009', 3_000, start);
  });
  return 'test.coverage_hole-base:84532:3000:h3009';
}

/** A block, and a transfer in the next one, that a watcher has set aside; the hole's stream. */
async function passUnread(): Promise<string> {
  await asWatcher(async ({ setAside }) => {
    const placeOf = (number: number) => {
      const time = isoTime(block(number).timeMs);
      return { block_number: number, block_hash: `h${number}`, block_time: time, seen_at: time };
    };
    await setAside.openHole({ ...placeOf(3_000), to_number: 3_000, reason: 'unreadable', tx_hash: '0xaa' });
    const transfer = { token_id: 'usdc-base', tx_hash: '0xbb', ordinal: 0, from: '0x01', to: '0x02' } as const;
    const amount = { value_base_units: '5', slot: null, fault: 'Error' };
    await setAside.defer({ ...placeOf(3_001), ...transfer, ...amount }, new Error('at fault'));
  });
  return 'test.coverage_hole-base:84532:3000:h3000';
}

describe('coverage', () => {
  it('tells how far each network is scanned', async () => {
    await covered(3_100);
    expect(await cli.json('coverage')).toMatchObject({
      exitCode: 0,
      networks: [
        {
          mode: 'test',
          network: 'base',
          instance: '84532',
          providers: ['one.example', 'two.example'],
          ranges: 3,
          from_number: 101,
          sealed_to: 3_100,
          cursor: 3_100,
          head: 3_112,
          lag_blocks: 12,
          gaps: [],
        },
      ],
    });
    const { out } = await cli.run(['coverage']);
    expect(out).toMatch(
      /^test base +84532 +3 ranges +101\.\.3100 +head 3112 as told \d+ s ago +12 blocks below it, \d+ s behind +by one\.example, two\.example +no gap\n$/,
    );
  });

  it('says how old its head is, and fails where the network is behind by more than readiness allows', async () => {
    await covered(3_100);
    await changeCoverage(body => ({
      ...body,
      head_told_at: isoTime(Date.now() - 306_000),
      head_seen_at: isoTime(Date.now() - 306_000),
    }));
    const { exitCode, out } = await cli.run(['coverage']);
    expect(out).toMatch(/head 3112 as told 30[67] s ago +12 blocks below it, 30[67] s behind/);
    expect(out).toContain('\ntest base: behind, so it takes no new quotes\n');
    expect(exitCode).toBe(1);
    expect(await cli.json('coverage')).toMatchObject({ exitCode: 1, networks: [{ is_behind: true }] });
    const env = { ...cli.env, SANDBOX_CHAINS: 'off' };
    expect(await cli.run(['coverage'], '', env)).toMatchObject({ exitCode: 0 });
  });

  it('says so where no range is sealed yet', async () => {
    await covered(100);
    const { out } = await cli.run(['coverage']);
    expect(out).toMatch(/^test base +84532 +no range sealed yet +101\.\.100 .* behind +no gap$/m);
  });

  it('fails where a block was left out, and names it', async () => {
    await covered(3_100);
    await leaveOut();
    const { exitCode, networks } = await cli.json<{ networks: readonly object[] }>('coverage');
    expect(exitCode).toBe(1);
    expect(networks).toMatchObject([
      { providers: { length: 3 }, gaps: [{ kind: 'unscanned', from_number: 3_101, to_number: 19_999 }] },
    ]);
    expect((await cli.run(['coverage'])).out).toContain('unscanned 3101..19999');
  });

  it('fails where a block was passed unread, and names what is set aside', async () => {
    await covered(3_100);
    const stream = await passUnread();
    const { exitCode, networks } = await cli.json<{ networks: readonly object[] }>('coverage');
    expect(exitCode).toBe(1);
    expect(networks).toMatchObject([
      {
        gaps: [{ kind: 'unread', from_number: 3_000, to_number: 3_000 }],
        holes: [{ hole: stream, block_hash: 'h3000', reason: 'unreadable', tx_hash: '0xaa' }],
        deferred: [{ transfer: 'test.deferred_transfer-base:0xbb:0:h3001', fault: 'Error', value_base_units: '5' }],
      },
    ]);
    const { out } = await cli.run(['coverage']);
    expect(out).toContain('unread 3000..3000\n');
    expect(out).toContain(`\nunread: ${stream} (unreadable, of ${isoTime(block(3_000).timeMs)})\n`);
    expect(out).toContain('\ndeferred: test.deferred_transfer-base:0xbb:0:h3001 (Error)\n');
  });

  it('names what is left of a hole that was read in part, which can be closed, and every proof holds', async () => {
    await covered(3_100);
    const stream = await readInPart();
    expect(await cli.json('coverage')).toMatchObject({
      exitCode: 1,
      networks: [
        {
          gaps: [{ kind: 'unread', from_number: 3_004, to_number: 3_009 }],
          holes: [{ hole: stream, block_number: 3_004, to_number: 3_009, block_hash: 'h3009' }],
        },
      ],
    });
    const { out } = await cli.run(['coverage']);
    expect(out).toContain('unread 3004..3009\n');
    expect(out).toContain(`\nunread: ${stream} (unreadable, of ${isoTime(block(3_003).timeMs)})\n`);
    expect(await cli.run(['audit', 'verify'])).toMatchObject({ exitCode: 0 });
    expect(await cli.run(['projections', 'verify'])).toMatchObject({ exitCode: 0 });
    await cli.run(['coverage', 'close', stream, '--note', 'lost by all']);
    expect(await cli.json('coverage')).toMatchObject({ exitCode: 0, networks: [{ gaps: [], holes: [] }] });
    const { closed } = await cli.json<{ closed: readonly object[] }>('coverage', '--closed');
    expect(closed).toMatchObject([{ hole: stream, block_number: 3_004, to_number: 3_009 }]);
  });

  it('says so where nothing was ever watched', async () => {
    expect(await cli.run(['coverage'])).toMatchObject({ exitCode: 0, out: 'No network was ever watched.\n' });
  });
});

describe('coverage close', () => {
  it('closes a hole for good, with the note in the log', async () => {
    await covered(3_100);
    const stream = await passUnread();
    expect(await cli.json('coverage', 'close', stream, '--note', ' lost by all ')).toMatchObject({
      exitCode: 0,
      closed: stream,
      note: 'lost by all',
    });
    expect(await cli.json('coverage')).toMatchObject({ exitCode: 0, networks: [{ gaps: [], holes: [] }] });
    const { events } = await cli.json<{ events: readonly object[] }>('replay', stream);
    expect(events).toMatchObject([
      { type: 'CoverageHoleOpened' },
      { type: 'CoverageHoleClosed', data: { note: 'lost by all' } },
    ]);
    const again = await cli.run(['coverage', 'close', stream, '--note', 'lost']);
    expect(again).toMatchObject({ exitCode: 1, err: 'invalid_state_transition: The hole is closed already. (hole)\n' });
  });

  it.each([
    [['nonsense', '--note', 'lost'], 'parameter_invalid: A hole is named such as'],
    [['test.transfer-base:0xaa:0', '--note', 'lost'], 'parameter_invalid: A hole is named such as'],
    [['test.coverage_hole-base:84532:1:h1', '--note', 'lost'], 'resource_missing: No such hole was ever opened.'],
    [['test.coverage_hole-base:84532:3000:h3000', '--note', ' '], 'invalid_reason: A note has 1 to 500 characters.'],
  ])('refuses %j', async (args, message) => {
    await covered(3_100);
    await passUnread();
    const { exitCode, err } = await cli.run(['coverage', 'close', ...args]);
    expect(exitCode).toBe(1);
    expect(err).toContain(message);
  });

  it('asks for a note', async () => {
    const { exitCode, err } = await cli.run(['coverage', 'close', 'test.coverage_hole-base:84532:3000:h3000']);
    expect(exitCode).toBe(2);
    expect(err).toContain("required option '--note <text>' not specified");
  });

  it('leaves the mail to the service, which sends it once from the event, and names the person', async () => {
    await covered(3_100);
    const stream = await passUnread();
    await cli.run(['coverage', 'close', stream, '--note', 'lost by all']);
    const { store, documents, close } = await openToolbox(cli.env, () => undefined, 'alice');
    const outbox = await documents.open<OutboxDocument>(OUTBOX_COLLECTION);
    expect(await outbox.count()).toBe(0);
    expect(await store.readStream(stream)).toMatchObject([{}, { metadata: { actor: { id: 'cli:alice' } } }]);
    await close();
  });
});

describe('coverage give-up', () => {
  const TRANSFER = 'test.deferred_transfer-base:0xbb:0:h3001';

  it('ends a deferral for good: the transfer lies in the queue, and the log says who did it and why', async () => {
    await covered(3_100);
    await passUnread();
    expect(await cli.json('coverage', 'give-up', TRANSFER, '--reason', ' never placed ')).toMatchObject({
      exitCode: 0,
      given_up: TRANSFER,
      reason: 'never placed',
      queued: true,
    });
    const { networks } = await cli.json<{ networks: readonly object[] }>('coverage');
    expect(networks).toMatchObject([{ deferred: [] }]);
    const { store, close } = await openToolbox(cli.env, () => undefined, 'alice');
    expect(await store.readStream(TRANSFER)).toMatchObject([
      { type: 'TransferDeferred' },
      {
        type: 'DeferredTransferGivenUp',
        data: { reason: 'never placed' },
        metadata: { actor: { role: 'admin', id: 'cli:alice' } },
      },
    ]);
    await close();
    const transfer = await cli.json<{ events: readonly object[] }>('replay', 'test.transfer-base:0xbb:0');
    expect(transfer.events).toMatchObject([
      { type: 'TransferSeen', data: { value_base_units: '5' } },
      { type: 'TransferUnmatched', data: { reason: 'given_up', candidate: null } },
    ]);
    const again = await cli.run(['coverage', 'give-up', TRANSFER, '--reason', 'never placed']);
    expect(again).toMatchObject({
      exitCode: 1,
      err: 'invalid_state_transition: The transfer is given_up already. (transfer)\n',
    });
  });

  it.each([
    [['nonsense', '--reason', 'lost'], 'parameter_invalid: A deferred transfer is named such as'],
    [['test.transfer-base:0xbb:0', '--reason', 'lost'], 'parameter_invalid: A deferred transfer is named such as'],
    [['test.deferred_transfer-base:0xbb:0:h1', '--reason', 'lost'], 'resource_missing: No such transfer was deferred.'],
    [[TRANSFER, '--reason', ' '], 'invalid_reason: A reason has 1 to 500 characters.'],
  ])('refuses %j, and does nothing', async (args, message) => {
    await covered(3_100);
    await passUnread();
    const { exitCode, err } = await cli.run(['coverage', 'give-up', ...args]);
    expect(exitCode).toBe(1);
    expect(err).toContain(message);
    expect(await cli.json('coverage')).toMatchObject({ networks: [{ deferred: [{ transfer: TRANSFER }] }] });
  });
});

describe('where two owners are active', () => {
  it('close and give-up are proposed, and change nothing by themselves', async () => {
    await covered(3_100);
    const hole = await passUnread();
    for (const email of ['ada@pay.example', 'ben@pay.example'])
      await cli.json('admin', 'create', '--email', email, '--password', 'violet harbour 42');
    const deferred = 'test.deferred_transfer-base:0xbb:0:h3001';
    const proposed = { exitCode: 0, permission: 'coverage.close', status: 'pending' };
    expect(await cli.json('coverage', 'close', hole, '--note', 'lost by all')).toMatchObject({
      ...{ ...proposed, target: hole },
    });
    expect(await cli.json('coverage', 'give-up', deferred, '--reason', 'never placed')).toMatchObject({
      ...{ ...proposed, target: deferred },
    });
    expect(await cli.json('coverage')).toMatchObject({
      networks: [{ holes: [{ hole }], deferred: [{ transfer: deferred }] }],
    });
  });
});

describe('coverage --closed', () => {
  it('lists what was given up: when, why and by whom', async () => {
    await covered(3_100);
    const hole = await passUnread();
    const transfer = 'test.deferred_transfer-base:0xbb:0:h3001';
    expect(await cli.run(['coverage', '--closed'])).toMatchObject({
      exitCode: 0,
      out: 'Nothing was ever given up.\n',
    });
    await cli.run(['coverage', 'close', hole, '--note', 'lost by all']);
    await cli.run(['coverage', 'give-up', transfer, '--reason', 'never placed']);
    expect(await cli.json('coverage', '--closed')).toMatchObject({
      exitCode: 0,
      closed: [{ hole, block_number: 3_000, note: 'lost by all', closed_by: 'cli:alice' }],
      given_up: [{ transfer, reason: 'never placed', given_up_by: 'cli:alice', value_base_units: '5' }],
    });
    const { out } = await cli.run(['coverage', '--closed']);
    const at = '\\d{4}-\\d\\d-\\d\\dT\\S+Z';
    expect(out).toMatch(new RegExp(`^closed: ${hole} at ${at} by cli:alice: lost by all\\ngiven up: ${transfer} at `));
  });
});
