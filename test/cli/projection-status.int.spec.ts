import { ALL_PROJECTIONS } from '../../projections/all';
import { Checkpoints, NOTHING_COVERED } from '../../projections/runner/checkpoints';
import { isoTime, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import { projectionStatus } from '../../src/cli/projection-status';
import type { Toolbox } from '../../src/cli/toolbox';
import { metadata, newEvent } from '../contracts/contract-support';
import { SteppedClock } from '../projections/runner/stepped-clock';
import { MemoryDocuments } from '../support/memory-documents';
import { MemoryEventStore } from '../support/memory-event-store';

type Row = { readonly name: string; readonly state: string; readonly lag_seconds: number | null };

describe('the status of projections', () => {
  let clock: SteppedClock;
  let store: MemoryEventStore;
  let documents: MemoryDocuments;

  beforeEach(async () => {
    clock = new SteppedClock();
    store = new MemoryEventStore();
    documents = new MemoryDocuments();
    await appendWallet('wal_1');
  });

  /** An event of a type that the projection of wallets takes. */
  async function appendWallet(id: string): Promise<void> {
    const [type] = Object.keys(ALL_PROJECTIONS.find(({ name }) => name === 'wallets')?.on ?? {});
    const event = { ...newEvent(type), metadata: metadata({ recorded_at: isoTime(clock.now()) }) };
    await store.append(`test.wallet-${id}`, 'no_stream', [event]);
  }

  /** The documents of a service that had followed the log to its present end. */
  async function followed(changes: object = {}): Promise<void> {
    const mark = await store.lastEventUpTo(await store.lastPosition());
    const covered = { position: mark?.position, event_id: mark?.id, log: await store.firstEventId() };
    const checkpoints = await Checkpoints.open(documents, clock);
    for (const { name, version } of ALL_PROJECTIONS) {
      const facts = { ...NOTHING_COVERED, ...covered, version, generation: 0, error: null, events_per_second: 0 };
      const standing = await checkpoints.load(name);
      await checkpoints.save(name, standing, { ...facts, state: 'following', ...changes } as never);
    }
  }

  async function status(): Promise<{ exitCode: number; wallets: Row; lines: readonly string[] }> {
    const { json, lines, exitCode } = await projectionStatus({ documents, clock, store } as unknown as Toolbox);
    const { projections } = json as unknown as { projections: readonly Row[] };
    return {
      exitCode: exitCode ?? 0,
      lines: lines ?? [],
      wallets: projections.find(({ name }) => name === 'wallets') as Row,
    };
  }

  it('tells the lag as the age of the oldest event that is not taken, and no event of others', async () => {
    await followed();
    await appendWallet('wal_2');
    clock.step(7 * SECOND_MS);
    const { exitCode, wallets, lines } = await status();
    expect({ exitCode, wallets }).toMatchObject({ exitCode: 0, wallets: { state: 'following', lag_seconds: 7 } });
    expect(lines.find(line => line.startsWith('wallets'))).toContain('7 s');
    expect(lines.find(line => line.startsWith('users'))).toContain('0 s');
  });

  it('fails when one has stood still for half a minute though the log is ahead of it', async () => {
    await followed();
    await appendWallet('wal_2');
    clock.step(MINUTE_MS);
    expect(await status()).toMatchObject({ exitCode: 1, wallets: { state: 'stalled', lag_seconds: 60 } });
  });

  it('does not fail for an idle log, however long nothing comes', async () => {
    await followed();
    clock.step(60 * MINUTE_MS);
    expect(await status()).toMatchObject({ exitCode: 0, wallets: { state: 'following', lag_seconds: 0 } });
  });

  it.each([
    ['an event that the log does not hold', { event_id: 'c0ffee' }, 'astray'],
    ['another log', { log: 'c0ffee' }, 'foreign'],
  ])('fails where a checkpoint names %s', async (_, changes, state) => {
    await followed(changes);
    expect(await status()).toMatchObject({ exitCode: 1, wallets: { state, lag_seconds: null } });
  });
});
