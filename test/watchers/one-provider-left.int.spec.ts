import { refuse } from '../../src/vocabulary/errors';
import { NETWORK_IDS, NETWORKS } from '../../src/vocabulary/networks';
import type { QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { NOON, PaymentFixture } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';

const PI = 'pi_00000000000000000000000001';
const SECOND_PI = 'pi_00000000000000000000000002';
const HASH = `0x${'11'.repeat(32)}`;
const SECOND_HASH = `0x${'22'.repeat(32)}`;
const START = 60;
/** More headers than the watcher remembers. */
const BEYOND_THE_TAIL = 700;
/** More than it reads one by one. */
const BEYOND_THE_OPEN_END = 4_500;
const LIMIT_MS = 30_000;

/**
 * Two providers answer, until one of them is away: then nothing is agreed on. The final height stands still, or is
 * unknown.
 */
class LonelyChain extends ScriptedChain {
  /** The height of the last block that two have called final; unknown to a process that starts afterwards. */
  private finalized: number | null = null;
  /** The transfers that the remaining provider leaves out. */
  hidesTransfers = false;
  readonly ranges: (readonly [number, number])[] = [];

  leaveOne(): void {
    this.isAgreed = false;
    this.finalized = this.height - this.finalityLag;
  }

  forgetFinality(): void {
    this.finalized = null;
  }

  bringBack(): void {
    this.isAgreed = true;
    this.hidesTransfers = false;
  }

  override finalizedHeight(): Promise<number> {
    if (this.isAgreed) return super.finalizedHeight();
    return this.finalized === null ? Promise.reject(refuse('provider_unavailable')) : Promise.resolve(this.finalized);
  }

  override async transfersInBlock(hash: string, contract: string, recipients: readonly string[]) {
    const found = await super.transfersInBlock(hash, contract, recipients);
    return this.hidesTransfers ? { ...found, transfers: [] } : found;
  }

  override transfersInRange(from: number, to: number, contract: string, recipients: readonly string[]) {
    this.ranges.push([from, to]);
    return super.transfersInRange(from, to, contract, recipients);
  }
}

describe.each(NETWORK_IDS)('while one of two providers of %s is away', network => {
  const { confirmations } = NETWORKS[network].finality.live.standard;
  let chain: LonelyChain;
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;

  beforeEach(async () => {
    chain = new LonelyChain(NOON);
    fixture = new PaymentFixture({ mode: 'live', network, chain });
    mine(START);
    watcher = await fixture.watcher();
    await watcher.tick();
  });

  /** The chain's and the service's time pass together. */
  function mine(blocks: number): void {
    chain.mineEmpty(blocks);
    fixture.clock.timeMs += blocks * 1_000;
  }

  async function tickAfter(blocks: number): Promise<void> {
    mine(blocks);
    await watcher.tick();
  }

  function pay(txHash: string, baseUnits: bigint): void {
    chain.mine(fixture.transfer(txHash, baseUnits));
    fixture.clock.timeMs += 1_000;
  }

  async function status(id = PI): Promise<string> {
    return (await fixture.payment(id)).status;
  }

  /** Every one of these blocks was read in a range, which two agree on. */
  function readInRanges(from: number, to: number): boolean {
    const read = new Set(
      chain.ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n)),
    );
    return Array.from({ length: to - from + 1 }, (_, n) => from + n).every(height => read.has(height));
  }

  async function expectAgreed(from: number): Promise<void> {
    chain.bringBack();
    await tickAfter(confirmations + 5);
    await tickAfter(1);
    const cursor = (await fixture.coverage())?.number ?? 0;
    expect(cursor).toBe(chain.height - confirmations);
    expect(readInRanges(from, cursor)).toBe(true);
    await watcher.auditCoverage();
    expect(watcher.alarm).toBeNull();
  }

  it('payments are seen for as long as it takes, and count once it is back', async () => {
    const covered = (await fixture.coverage())?.number ?? 0;
    chain.leaveOne();
    for (let mined = 0; mined < BEYOND_THE_TAIL; mined += 50) await tickAfter(50);
    const due = await fixture.quoted(PI);
    pay(HASH, due);
    await watcher.tick();
    expect(await status()).toBe('detected');
    await tickAfter(300);
    expect(await status()).toBe('confirming');
    expect((await fixture.coverage())?.number).toBe(covered);
    await expectAgreed(covered + 1);
    expect(await status()).toBe('confirmed');
  });

  it('payments are seen by a service that starts meanwhile', async () => {
    const covered = (await fixture.coverage())?.number ?? 0;
    chain.leaveOne();
    chain.forgetFinality();
    watcher = await fixture.watcher();
    pay(HASH, await fixture.quoted(PI));
    await expect(watcher.tick()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await status()).toBe('detected');
    await expectAgreed(covered + 1);
    expect(await status()).toBe('confirmed');
  });

  it('a network that was never watched is begun by nobody’s single word', async () => {
    const fresh = new PaymentFixture({ mode: 'live', network, chain });
    chain.leaveOne();
    chain.forgetFinality();
    await expect((await fresh.watcher()).tick()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await fresh.coverage()).toBeNull();
  });

  it(
    'the newest blocks are seen after so long an absence that not all can be, and the others are read later',
    async () => {
      const covered = (await fixture.coverage())?.number ?? 0;
      chain.leaveOne();
      chain.forgetFinality();
      pay(HASH, await fixture.quoted(PI));
      mine(BEYOND_THE_OPEN_END);
      watcher = await fixture.watcher();
      pay(SECOND_HASH, await fixture.quoted(SECOND_PI));
      for (let n = 0; n < 2; n++) {
        await expect(watcher.tick()).rejects.toMatchObject({ code: 'provider_unavailable' });
        mine(1);
      }
      expect(await Promise.all([status(), status(SECOND_PI)])).toStrictEqual(['awaiting_payment', 'detected']);
      const left = fixture.log.lines.filter(({ message }) => message.startsWith('too many blocks cannot be agreed on'));
      expect(left).toMatchObject([{ level: 'error', facts: { from: covered + 1 } }]);
      await fixture.sweeper().sweep('quote');
      expect(await status()).toBe('awaiting_payment');
      await expectAgreed(covered + 1);
      expect(await Promise.all([status(), status(SECOND_PI)])).toStrictEqual(['confirmed', 'confirmed']);
    },
    LIMIT_MS,
  );

  it('no quote ends on the word of the one that is left, which may leave a payment out', async () => {
    chain.leaveOne();
    chain.hidesTransfers = true;
    pay(HASH, await fixture.quoted(PI));
    for (let n = 0; n < 20; n++) await tickAfter(60);
    await fixture.sweeper().sweep('quote');
    expect(await status()).toBe('awaiting_payment');
    watcher.watchLag();
    expect(watcher.alarm).toBe('behind');
    chain.bringBack();
    await tickAfter(confirmations + 5);
    await tickAfter(1);
    await fixture.sweeper().sweep('quote');
    expect(await status()).toBe('confirmed');
  });

  it('no quote ends by a late payment that this one has seen, after leaving out one that came in time', async () => {
    chain.leaveOne();
    chain.hidesTransfers = true;
    const due = await fixture.quoted(PI);
    pay(HASH, due);
    for (let n = 0; n < 20; n++) await tickAfter(60);
    chain.hidesTransfers = false;
    pay(SECOND_HASH, due);
    await watcher.tick();
    expect(await status()).toBe('awaiting_payment');
    chain.bringBack();
    await tickAfter(confirmations + 5);
    await tickAfter(1);
    const { ledger } = (await fixture.payment(PI)) as QuotedPaymentIntent;
    expect(Object.values(ledger.transfers).map(({ tx_hash }) => tx_hash)).toContain(HASH);
    expect(await fixture.eventTypes(PI)).not.toContain('QuoteExpired');
    expect(await status()).toBe('overpaid');
  });

  it('a late payment that it has seen is late once two have read what came before', async () => {
    chain.leaveOne();
    const due = await fixture.quoted(PI);
    for (let n = 0; n < 20; n++) await tickAfter(60);
    pay(HASH, due);
    await watcher.tick();
    expect(await status()).toBe('awaiting_payment');
    chain.bringBack();
    await tickAfter(confirmations + 5);
    await tickAfter(1);
    expect(await status()).toBe('paid_late');
    watcher.tellIgnored();
    expect(fixture.log.lines.map(({ message }) => message)).not.toContain('dust was ignored');
  });
});

it('a quote ends in live mode once its last block is agreed on', async () => {
  const fixture = new PaymentFixture({ mode: 'live' });
  const { confirmations } = NETWORKS[fixture.network].finality.live.standard;
  fixture.mineEmpty(START);
  const watcher = await fixture.watcher();
  await watcher.tick();
  await fixture.quoted(PI);
  const secondsLeft = (fixture.quoteEndMs - NOON) / 1_000;
  for (const [blocks, status] of [[secondsLeft + confirmations, 'awaiting_payment'], [2, 'expired']] as const) {
    fixture.mineEmpty(blocks);
    await watcher.tick();
    await fixture.sweeper().sweep('quote');
    expect((await fixture.payment(PI)).status).toBe(status);
  } // prettier-ignore
});
