import { isoTime, MINUTE_MS } from '../../src/kernel/clock';
import { refuse } from '../../src/vocabulary/errors';
import { streamName } from '../../src/kernel/event';
import { coverage, coverageStreamId } from '../../src/modules/coverage/coverage.decider';
import { COVERAGE_COLLECTION, coverageId, type CoverageDocument } from '../../src/watchers/coverage-record';
import { coverageReadiness } from '../../src/watchers/coverage-readiness';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { PaymentFixture } from '../support/payment-fixture';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;
const START = 8;

describe('the coverage of a chain', () => {
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;

  beforeEach(async () => {
    fixture = new PaymentFixture({ infers: true });
    fixture.mineEmpty(20);
    watcher = await fixture.watcher();
    await watcher.tick();
  });

  async function mine(blocks: number): Promise<void> {
    fixture.mineEmpty(blocks);
    await watcher.tick();
  }

  async function events(epoch: number | 'start') {
    const stream = streamName('test', 'coverage', coverageStreamId('base', 'scripted', epoch));
    return (await fixture.store.readStream(stream)).map(({ type, data }) => ({ type, ...(data as object) }));
  }

  async function documents() {
    return fixture.documents.open<CoverageDocument>(COVERAGE_COLLECTION);
  }

  function errors(message: string) {
    return fixture.log.lines.filter(line => line.level === 'error' && line.message === message);
  }

  it('is sealed in ranges that follow from one another, and the cursor stands at the standard depth', async () => {
    await mine(900);
    await mine(900);
    const found = await events(0);
    expect(await events('start')).toMatchObject([{ type: 'CoverageStarted', number: START }]);
    expect(found).toMatchObject([{ type: 'CoverageSealed', from_number: START + 1 }, { type: 'CoverageSealed' }]);
    const [first, second] = found as unknown as Record<string, unknown>[];
    expect(second?.from_number).toBe(Number(first?.to_number) + 1);
    expect(second?.from_parent_hash).toBe(first?.to_hash);
    expect(second?.providers).toStrictEqual(fixture.chain.providers);
    expect((await fixture.coverage())?.number).toBe(fixture.chain.height - 12);
    await watcher.auditCoverage();
    expect(watcher.alarm).toBeNull();
  });

  it('names each end of an epoch by its own hash', async () => {
    await mine(20_500);
    const last = (await events(0)).at(-1) as unknown as Record<string, unknown>;
    const [next] = (await events(1)) as unknown as Record<string, unknown>[];
    expect(last.to_number).toBe(19_999);
    expect(last.to_hash).toBe((await fixture.chain.blockAt(19_999))?.hash);
    expect(next).toMatchObject({ from_number: 20_000, from_parent_hash: last.to_hash });
    await watcher.auditCoverage();
    expect(watcher.alarm).toBeNull();
  });

  it('goes on from what is sealed when its document is lost', async () => {
    await mine(1_100);
    const sealedTo = (await fixture.coverage())?.sealed_to ?? 0;
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.mineEmpty(700);
    await (await documents()).deleteUpTo(coverageId('test', 'base'), Infinity);
    await (await fixture.watcher()).tick();
    expect((await fixture.payment(PI)).status).toBe('confirmed');
    const resumed = fixture.log.lines.filter(({ message }) => message === 'backfilled');
    expect(sealedTo).toBeGreaterThan(START);
    expect(resumed.length).toBeGreaterThan(0);
    expect((await fixture.coverage())?.number).toBe(fixture.chain.height - 12);
  });

  it('scans again, and says so, what the document holds for sealed and the log does not', async () => {
    await mine(1_100);
    const found = await fixture.coverage();
    if (!found) throw new Error('no coverage');
    fixture.mineEmpty(2_000);
    const ahead = { ...found, number: 2_500, sealed_to: 2_500, hash: '0x00', sealed_hash: '0x00' };
    await (await documents()).put({ id: coverageId('test', 'base'), version: 1_000, body: ahead });
    const restarted = await fixture.watcher();
    await restarted.tick();
    expect(errors('sealed coverage is missing: its blocks are scanned again')).toHaveLength(1);
    await restarted.auditCoverage();
    expect(restarted.alarm).toBeNull();
  });

  it('raises an alarm over a gap', async () => {
    await mine(1_100);
    const before = (await events(0)).at(-1) as unknown as { readonly to_number: number };
    fixture.mineEmpty(20_100);
    const end = await fixture.chain.blockAt(20_060);
    if (!end) throw new Error('no such block');
    const range = { to_number: 20_060, to_hash: end.hash, to_time: isoTime(end.timeMs), providers: [] };
    const context = { ...fixture.context(), actor: { role: 'watcher', type: 'system', id: 'test' } as const };
    const seal = { type: 'seal', range: { from_number: 20_050, from_parent_hash: '0x00', ...range } } as const;
    await fixture.writes.execute(coverage, coverageStreamId('base', 'scripted', 1), seal, context);
    const found = (await fixture.coverage()) as CoverageDocument;
    const marks = { number: 20_060, hash: end.hash, sealed_to: 20_060, sealed_hash: end.hash };
    await (await documents()).put({ id: coverageId('test', 'base'), version: 1_000, body: { ...found, ...marks } });
    const restarted = await fixture.watcher();
    await restarted.tick();
    await restarted.auditCoverage();
    expect(restarted.alarm).toBe('gaps');
    const gap = { kind: 'unscanned', from_number: before.to_number + 1, to_number: 20_049 };
    expect(errors('the coverage of the chain has a gap')).toMatchObject([{ facts: gap }]);
  });

  it('sees through a reorganisation of sealed blocks, and says which were scanned again', async () => {
    await mine(1_100);
    const due = await fixture.quoted(PI);
    await mine(650);
    const [, before] = (await events(0)) as unknown as Record<string, unknown>[];
    fixture.chain.reorganise(300, [fixture.transfer(HASH, due)]);
    await mine(1);
    expect(errors('agreed blocks were replaced: they are scanned again')).toHaveLength(1);
    expect((await fixture.payment(PI)).status).toBe('confirmed');
    const replaced = (await events(0)).at(-1);
    const { providers } = fixture.chain;
    expect(replaced).toMatchObject({ type: 'CoverageReplaced', to_number: before?.to_number, providers });
    await mine(1_100);
    await watcher.auditCoverage();
    expect(watcher.alarm).toBeNull();
  });

  it('believes no single provider that its agreed blocks have changed', async () => {
    const before = await fixture.coverage();
    fixture.chain.reorganise(15);
    fixture.chain.isAgreed = false;
    fixture.mineEmpty(1);
    await expect(watcher.tick()).rejects.toMatchObject({ code: 'provider_response_invalid' });
    expect(await fixture.coverage()).toStrictEqual(before);
  });

  it('reads what replaced its newest blocks, though one provider still shows what came after them', async () => {
    const due = await fixture.quoted(PI);
    await mine(1);
    const { chain } = fixture;
    chain.mineEmpty(1);
    const stale = await chain.blockAt(chain.height);
    chain.reorganise(4, [fixture.transfer(HASH, due)]);
    chain.mineEmpty(40);
    const blockAt = chain.blockAt.bind(chain);
    jest.spyOn(chain, 'blockAt').mockImplementation(height => {
      return height === stale?.number ? Promise.resolve(stale) : blockAt(height);
    });
    await watcher.tick();
    expect((await fixture.payment(PI)).status).not.toBe('awaiting_payment');
  });

  it('covers nothing while the chain moves under the scan, and leaves no block out', async () => {
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.mineEmpty(30);
    fixture.chain.finalityLag = 100;
    const restarted = await fixture.watcher();
    const blockAt = fixture.chain.blockAt.bind(fixture.chain);
    let asked = 0;
    fixture.chain.blockAt = async height => {
      if (++asked === 3) fixture.chain.reorganise(5);
      return blockAt(height);
    };
    const before = await fixture.coverage();
    await restarted.tick();
    expect((await fixture.coverage())?.number).toBe(before?.number);
    await restarted.tick();
    expect((await fixture.payment(PI)).status).toBe('confirmed');
  });

  it('reads every block that ever was canonical once, and none twice', async () => {
    const read = new Map<string, number>();
    const { chain } = fixture;
    const inBlock = chain.transfersInBlock.bind(chain);
    const inRange = chain.transfersInRange.bind(chain);
    const note = (hash: string): void => void read.set(hash, (read.get(hash) ?? 0) + 1);
    chain.transfersInBlock = (hash, ...rest) => (note(hash), inBlock(hash, ...rest));
    chain.transfersInRange = async (from, to, ...rest) => {
      for (let height = from; height <= to; height++) note((await chain.blockAt(height))?.hash ?? '');
      return inRange(from, to, ...rest);
    };
    const canonical = new Set<string>();
    for (const blocks of [1, 3, 7, 40, 2, 1_300, 1, 20, 11, 700, 5]) {
      if (blocks === 7 || blocks === 11) chain.reorganise(blocks);
      await mine(blocks);
      for (let height = 21; height <= chain.height; height++) canonical.add((await chain.blockAt(height))?.hash ?? '');
    }
    expect([...canonical].filter(hash => read.get(hash) !== 1)).toStrictEqual([]);
  });

  it('asks for no block again when a scan that broke off is tried once more', async () => {
    fixture.chain.finalityLag = 100;
    fixture.mineEmpty(60);
    const blockAt = fixture.chain.blockAt.bind(fixture.chain);
    const asked: number[] = [];
    let left = 20;
    fixture.chain.blockAt = height => {
      if (left-- === 0) throw refuse('provider_unavailable');
      asked.push(height);
      return blockAt(height);
    };
    const restarted = await fixture.watcher();
    await expect(restarted.tick()).rejects.toMatchObject({ code: 'provider_unavailable' });
    const before = new Set(asked.splice(0));
    await restarted.tick();
    expect(before.size).toBeGreaterThan(10);
    expect(asked.filter(height => before.has(height))).toHaveLength(0);
    expect((await fixture.coverage())?.head_number).toBe(fixture.chain.height);
  });

  it('raises an alarm when it lags, once, and says when that is over', async () => {
    watcher.watchLag();
    expect(watcher.alarm).toBeNull();
    fixture.clock.timeMs += 5 * MINUTE_MS + 1;
    watcher.watchLag();
    watcher.watchLag();
    expect(watcher.alarm).toBe('behind');
    expect(errors('the watcher is behind its chain')).toHaveLength(1);
    fixture.chain.mineEmpty(300);
    await watcher.tick();
    watcher.watchLag();
    expect(watcher.alarm).toBeNull();
    expect(fixture.log.lines.at(-1)?.message).toBe('the watcher has caught up with its chain');
  });

  it.each([31_000, -31_000])('is degraded at readiness while the clock is %d ms ahead of the chain', async aheadMs => {
    const { mode, network } = fixture;
    const readiness = coverageReadiness([{ mode, network, alarmNow: () => Promise.resolve(watcher.alarm) }]);
    await expect(readiness.check()).resolves.toBeUndefined();
    fixture.clock.timeMs += aheadMs;
    await watcher.tick();
    const degraded = { message: 'test base: clock', alarms: [{ mode, network, alarm: 'clock' }] };
    await expect(readiness.check()).rejects.toMatchObject(degraded);
    fixture.clock.timeMs -= aheadMs;
    await watcher.tick();
    await expect(readiness.check()).resolves.toBeUndefined();
  });

  it('is not behind at a restart merely for having read nothing yet, while providers hang', async () => {
    const restarted = await fixture.watcher();
    restarted.watchLag();
    expect(restarted.alarm).toBeNull();
    expect(errors('the watcher is behind its chain')).toHaveLength(0);
    fixture.clock.timeMs += 5 * MINUTE_MS + 1;
    expect(restarted.alarm).toBe('behind');
  });

  it('counts at a restart from what is covered, before any provider has answered', async () => {
    const stopping = new AbortController();
    fixture.chain.head = () => {
      stopping.abort();
      return Promise.reject(refuse('provider_unavailable'));
    };
    fixture.clock.timeMs += 5 * MINUTE_MS + 1;
    const restarted = await fixture.watcher();
    await restarted.run(stopping.signal);
    expect(restarted.alarm).toBe('behind');
  });

  it('raises that alarm also while it catches up', async () => {
    const inRange = fixture.chain.transfersInRange.bind(fixture.chain);
    const alarms: unknown[] = [];
    fixture.chain.transfersInRange = (...question) => (alarms.push(watcher.alarm), inRange(...question));
    await mine(7_200);
    expect(new Set(alarms.slice(0, -1))).toStrictEqual(new Set(['behind']));
    expect(watcher.alarm).toBeNull();
  });

  it('stops between two ranges while it catches up, and goes on from there', async () => {
    const stopping = new AbortController();
    const inRange = fixture.chain.transfersInRange.bind(fixture.chain);
    const coveredTo = (await fixture.coverage())?.number ?? 0;
    let ranges = 0;
    fixture.chain.transfersInRange = (...question) => {
      if (++ranges === 2) stopping.abort();
      return inRange(...question);
    };
    fixture.mineEmpty(7_200);
    await watcher.run(stopping.signal);
    expect(ranges).toBe(2);
    expect((await fixture.coverage())?.number).toBe(coveredTo + 2_000);
    await watcher.tick();
    expect((await fixture.coverage())?.number).toBe(fixture.chain.height - 12);
    expect((await fixture.coverage())?.head_number).toBe(fixture.chain.height);
  });

  it('scans the open end again for an address that joined since', async () => {
    const wallets = await fixture.documents.open({ name: 'wallets', indexes: {} });
    const [wallet] = [await wallets.get('wal_00000000000000000000000000')];
    if (!wallet) throw new Error('no wallet');
    await wallets.put({ ...wallet, version: 2, body: { ...wallet.body, status: 'pending' } });
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(HASH, due));
    await watcher.tick();
    expect((await fixture.payment(PI)).status).toBe('awaiting_payment');
    await wallets.put({ ...wallet, version: 3, body: { ...wallet.body, status: 'verified' } });
    await mine(1);
    expect((await fixture.payment(PI)).status).toBe('confirming');
  });
});
