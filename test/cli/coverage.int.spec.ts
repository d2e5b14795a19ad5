import 'reflect-metadata';
import { openToolbox } from '../../src/cli/toolbox';
import { isoTime } from '../../src/kernel/clock';
import { systemContext } from '../../src/kernel/command-context';
import type { BlockHeader } from '../../src/kernel/ports/chain';
import { coverage, coverageStreamId } from '../../src/modules/coverage/coverage.decider';
import { COVERAGE_COLLECTION, CoverageLedger, type CoverageDocument } from '../../src/watchers/coverage-ledger';
import { SetAside } from '../../src/watchers/set-aside';
import { CliSession } from './cli-support';

let cli: CliSession;
beforeEach(() => (cli = new CliSession()));
afterEach(() => cli.end());

const START_MS = Date.parse('2026-11-01T12:00:00.000Z');

function block(number: number): BlockHeader {
  return { number, hash: `h${number}`, parentHash: `h${number - 1}`, timeMs: START_MS + number * 1_000 };
}

/** What a watcher leaves behind that covered a chain from block 101 to `to`. */
async function covered(to: number): Promise<void> {
  const { documents, store, writes, readModels, clock, entropy, log, close } = await openToolbox(
    cli.env,
    () => undefined,
  );
  const chain = { mode: 'test', network: 'base', instance: '84532' } as const;
  const collection = await documents.open<CoverageDocument>(COVERAGE_COLLECTION);
  const ledger = new CoverageLedger({
    ...chain,
    providers: ['one.example', 'two.example'],
    documents: collection,
    writes,
    setAside: new SetAside({ ...chain, store, writes, readModels, clock, entropy, log }),
    clock,
    entropy,
    log,
  });
  await ledger.cursor(() => Promise.resolve(block(100)));
  const headerAt = (height: number): Promise<BlockHeader> => Promise.resolve(block(height));
  for (let number = 1_100; number <= to; number += 1_000)
    await ledger.advance({ settled: block(number), scanned: block(number + 12), head: block(number + 12), headerAt });
  await close();
}

/** A range of the next epoch that nothing leads up to. */
async function leaveOut(): Promise<void> {
  const { documents, writes, entropy, close } = await openToolbox(cli.env, () => undefined);
  const context = systemContext(entropy, { actor: 'watcher', mode: 'test', merchantId: null, now: START_MS });
  const range = { from_number: 20_000, from_parent_hash: 'h19999', to_number: 20_100, to_hash: 'h20100' };
  const command = {
    type: 'seal',
    range: { ...range, to_time: isoTime(START_MS), providers: ['three.example'] },
  } as const;
  await writes.execute(coverage, coverageStreamId('base', '84532', 1), command, context);
  const collection = await documents.open<CoverageDocument>(COVERAGE_COLLECTION);
  const stored = await collection.get('test:base');
  if (!stored) throw new Error('nothing is covered');
  await collection.put({ ...stored, version: 99, body: { ...stored.body, sealed_to: 20_100 } });
  await close();
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
      /^test base +84532 +3 ranges +101\.\.3100 +head 3112 +12 blocks, \d+ s behind +by one\.example, two\.example +no gap\n$/,
    );
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

  it('says so where nothing was ever watched', async () => {
    expect(await cli.run(['coverage'])).toMatchObject({ exitCode: 0, out: 'No network was ever watched.\n' });
  });
});
