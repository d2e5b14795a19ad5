import { Checkpoints, NOTHING_COVERED } from '../../projections/runner/checkpoints';
import { StoredProgress } from '../../projections/runner/stored-progress';
import { walletsProjection } from '../../projections/wallets.projection';
import { invariant } from '../../src/kernel/invariant';
import type { LogPosition } from '../../src/kernel/log-position';
import { StoreUnavailable } from '../../src/kernel/ports/event-store';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { PaymentFixture, WALLET } from '../support/payment-fixture';
import { typesOf, unreadBlocks } from './set-aside-stage';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;
const WAITING = 'the list of wallets is behind the log: scanning waits for it';

describe.each(['live', 'test'] as const)('in %s mode, a watcher whose list of wallets may be an older one', mode => {
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;
  /** The checkpoints of the log, as the documents were copied. */
  let copiedAt: LogPosition;

  beforeEach(async () => {
    fixture = new PaymentFixture({ mode, network: 'bnb' });
    fixture.mineEmpty(60);
    await (await fixture.watcher()).tick();
    copiedAt = await fixture.store.lastPosition();
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.clock.timeMs += 1_000;
    fixture.mineEmpty(30);
    fixture.progress = new StoredProgress(fixture.store, fixture.documents, fixture.clock);
    watcher = await fixture.watcher();
  });

  /** The runner's checkpoint is in the same copy as the documents. */
  async function follow(position: LogPosition): Promise<void> {
    const checkpoints = await Checkpoints.open(fixture.documents, fixture.clock);
    const { name, version } = walletsProjection;
    const facts = { version, generation: 0, state: 'following', error: null, events_per_second: 0 } as const;
    const coverage = { ...NOTHING_COVERED, position };
    await checkpoints.save(name, await checkpoints.load(name), { ...facts, ...coverage });
  }

  /** Gives the means to bring the documents up to the log's head. */
  async function restore(): Promise<() => Promise<void>> {
    const documents = await fixture.documents.open(walletsProjection);
    const wallet = await documents.get(WALLET);
    invariant(wallet, 'the wallet has a document');
    await documents.deleteAt(WALLET, wallet.version);
    await follow(copiedAt);
    return async () => {
      await documents.put(wallet);
      await follow(await fixture.store.lastPosition());
    };
  }

  async function watch(ticks: number): Promise<void> {
    for (let tick = 1; tick <= ticks; tick++) {
      fixture.mineEmpty(20);
      await watcher.tick();
      watcher.watchLag();
    }
  }

  const waits = () => fixture.log.lines.filter(({ message }) => message === WAITING);
  const overdue = () =>
    fixture.log.lines.filter(({ level, message }) => {
      return level === 'error' && message === 'the list of wallets stays behind the log: nothing is scanned';
    });
  const covered = async () => (await fixture.coverage())?.number;

  it('scans once the list holds what the log held at its start, and sees what was paid before', async () => {
    const catchUp = await restore();
    await watch(1);
    await catchUp();
    await watch(60);
    await fixture.sweeper().sweep('quote');
    expect((await fixture.payment(PI)).status).toBe('confirmed');
    expect(fixture.log.lines.map(({ message }) => message)).toContain(
      'the list of wallets has caught up: scanning goes on',
    );
  });

  it('covers nothing while the projection stands still, says so, and is behind within a minute', async () => {
    const before = await covered();
    await restore();
    await watch(3);
    expect(watcher.alarm).toBe('behind');
    await watch(57);
    await fixture.sweeper().sweep('quote');
    expect(await covered()).toBe(before);
    expect(await fixture.eventTypes(PI)).not.toContain('QuoteExpired');
    expect(waits()).toHaveLength(1);
    expect(waits()[0]?.facts).toMatchObject({ mode, network: 'bnb', projection: 'wallets' });
    expect(overdue()).toHaveLength(1);
  });

  it('waits again after the documents were away, for what the log holds by then', async () => {
    await follow(await fixture.store.lastPosition());
    await watch(1);
    jest.spyOn(fixture.readModels, 'list').mockRejectedValueOnce(new StoreUnavailable('away'));
    await fixture.quoted('pi_00000000000000000000000002');
    await expect(watch(1)).rejects.toThrow('away');
    const before = await covered();
    await watch(3);
    expect(await covered()).toBe(before);
    expect(waits()).toHaveLength(1);
    await follow(await fixture.store.lastPosition());
    await watch(1);
    expect(await covered()).toBeGreaterThan(before ?? Infinity);
  });

  it('waits where the documents are put back to an earlier state unseen', async () => {
    await follow(await fixture.store.lastPosition());
    await watch(1);
    const before = await covered();
    const catchUp = await restore();
    await watch(3);
    expect(await covered()).toBe(before);
    await catchUp();
    await watch(1);
    expect(await covered()).toBeGreaterThan(before ?? Infinity);
  });

  it('reads a block that is set aside only by a complete list', async () => {
    const unread = unreadBlocks(fixture.chain);
    const paid = fixture.chain.blockOf(HASH);
    invariant(paid, 'the payment is in a block');
    unread.add(paid.hash);
    await follow(await fixture.store.lastPosition());
    await watch(2);
    expect(await typesOf(fixture, 'coverage_hole')).toStrictEqual(['CoverageHoleOpened']);
    const catchUp = await restore();
    unread.clear();
    await expect(watcher.retrySetAside()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await typesOf(fixture, 'coverage_hole')).toStrictEqual(['CoverageHoleOpened']);
    await catchUp();
    await watcher.retrySetAside();
    await watch(2);
    expect((await fixture.payment(PI)).status).toBe('confirmed');
  });

  it('waits as it watches again after another process did', async () => {
    await follow(await fixture.store.lastPosition());
    await watch(1);
    await fixture.quoted('pi_00000000000000000000000002');
    const before = await covered();
    fixture.mineEmpty(20);
    const turn = new AbortController();
    const tick = watcher.tick.bind(watcher);
    watcher.tick = async signal => {
      await tick(signal);
      turn.abort();
    };
    await watcher.run(turn.signal);
    expect(await covered()).toBe(before);
    expect(waits()).toHaveLength(1);
  });
});
