import { finalHeight, isReinclusionOver } from '../../src/vocabulary/finality';
import type { ObservedTransfer } from '../../src/kernel/ports/chain';
import { TOKENS } from '../../src/vocabulary/tokens';
import { NETWORK_IDS, NETWORKS } from '../../src/vocabulary/networks';
import type { QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import { finalityTier, priceBaseUnits } from '../../src/modules/quotes/price';
import { ADDRESS, NOON, PAYER, PaymentFixture, type FixtureOptions } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;
/** 10,000.00 EUR at 1.08 are 10,800 tokens. */
const LARGE = '1000000';

/**
 * The rules of chains.md, written down a second time: confirmations, finalized, confirmations without finality, second
 * receipt.
 */
const RULES = [
  ['tron', 'live', 'standard', 19, true, null, false],
  ['tron', 'live', 'large', 27, true, null, true],
  ['tron', 'test', 'standard', 19, true, null, false],
  ['tron', 'test', 'large', 19, true, null, false],
  ['bnb', 'live', 'standard', 15, true, 240, false],
  ['bnb', 'live', 'large', 240, true, null, true],
  ['bnb', 'test', 'standard', 15, true, 240, false],
  ['bnb', 'test', 'large', 15, true, 240, false],
  ['base', 'live', 'standard', 20, false, null, false],
  ['base', 'live', 'large', 20, true, null, true],
  ['base', 'test', 'standard', 12, false, null, false],
  ['base', 'test', 'large', 12, false, null, false],
] as const;

describe('the rules of finality', () => {
  it.each(RULES)(
    '%s %s %s',
    (network, mode, tier, confirmations, finalized, confirmationsUnfinalized, secondReceipt) => {
      const rule = { confirmations, finalized, confirmationsUnfinalized, secondReceipt };
      expect(NETWORKS[network].finality[mode][tier]).toStrictEqual(rule);
    },
  );

  it.each([
    ['tron', 30, 30],
    ['bnb', 240, 240],
    ['base', 60, 60],
  ] as const)('%s gives a vanished transaction %d blocks, %d without finality', (network, blocks, unfinalized) => {
    const isOver = (passed: number, finalizedHeight: number): boolean =>
      isReinclusionOver(NETWORKS[network], 1_000, { head: { number: 1_000 + passed }, finalizedHeight });
    expect([isOver(blocks - 1, 1_000), isOver(blocks, 1_000)]).toStrictEqual([false, true]);
    expect([isOver(unfinalized - 1, 999), isOver(unfinalized, 999)]).toStrictEqual([false, true]);
  });

  it.each(Object.values(TOKENS))(
    'a quote of $id is large from 10,000 dollars on, whatever the token is worth',
    token => {
      for (const dollarRate of ['1', '0.9991', '1.0203040506070809']) {
        const tierOf = (cents: bigint) =>
          finalityTier(token, priceBaseUnits(cents, 2, dollarRate, token.decimals), dollarRate);
        expect([tierOf(999_999n), tierOf(1_000_000n)]).toStrictEqual(['standard', 'large']);
      }
    },
  );

  it('takes the lower of depth and finality, and depth alone where finality does not matter', () => {
    const { standard, large } = NETWORKS.base.finality.live;
    const progress = { head: { number: 1_000 }, finalizedHeight: 400 };
    expect([finalHeight(standard, progress), finalHeight(large, progress)]).toStrictEqual([980, 400]);
    const bnb = NETWORKS.bnb.finality.live;
    expect([finalHeight(bnb.standard, progress), finalHeight(bnb.large, progress)]).toStrictEqual([760, 400]);
    expect(finalHeight(bnb.standard, { ...progress, finalizedHeight: 998 })).toBe(985);
  });
});

describe('a payment', () => {
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;

  async function paid(options: Partial<FixtureOptions>, finalityLag: number, amount = '2500'): Promise<void> {
    fixture = new PaymentFixture({ mode: 'live', ...options });
    fixture.chain.finalityLag = finalityLag;
    fixture.mineEmpty(300);
    watcher = await fixture.watcher();
    await watcher.tick();
    fixture.chain.mine(fixture.transfer(HASH, await fixture.quoted(PI, amount)));
    await watcher.tick();
  }

  async function statusAfter(blocks: number): Promise<string> {
    fixture.mineEmpty(blocks);
    await watcher.tick();
    return (await fixture.payment(PI)).status;
  }

  it('on BNB fails only 240 blocks after its transfer was gone, though the chain finalizes', async () => {
    await paid({ network: 'bnb' }, 2);
    fixture.chain.reorganise(1);
    await watcher.tick();
    expect(await statusAfter(100)).toBe('detected');
    expect(await statusAfter(139)).toBe('detected');
    expect(await statusAfter(1)).toBe('failed');
  });

  it('on Base counts 20 deep, whatever is finalized', async () => {
    await paid({ network: 'base' }, 290);
    expect(await statusAfter(19)).toBe('confirming');
    expect(await statusAfter(1)).toBe('confirmed');
  });

  it('on Base, when large, waits until its block is finalized', async () => {
    await paid({ network: 'base' }, 50, LARGE);
    expect(((await fixture.payment(PI)) as QuotedPaymentIntent).quote).toMatchObject({
      finality_tier: 'large',
      required_confirmations: 20,
    });
    expect(await statusAfter(49)).toBe('confirming');
    expect(await statusAfter(1)).toBe('confirmed');
  });

  it('on BNB waits for finality', async () => {
    await paid({ network: 'bnb' }, 100);
    expect(await statusAfter(99)).toBe('confirming');
    expect(await statusAfter(1)).toBe('confirmed');
  });

  it('on BNB counts 240 deep where the network has stopped finalizing', async () => {
    await paid({ network: 'bnb' }, 100_000);
    expect(await statusAfter(239)).toBe('confirming');
    expect(await statusAfter(1)).toBe('confirmed');
    expect((await fixture.coverage())?.number).toBe(fixture.chain.height - 240);
  });

  it('on BNB, when large, waits for finality for as long as it takes', async () => {
    await paid({ network: 'bnb' }, 100_000, LARGE);
    expect(await statusAfter(400)).toBe('confirming');
    fixture.chain.finalityLag = 2;
    expect(await statusAfter(1)).toBe('confirmed');
  });

  it('waits while providers do not agree on its block, and so does the cursor', async () => {
    await paid({ network: 'base' }, 2);
    fixture.chain.isAgreed = false;
    const before = await fixture.coverage();
    for (let blocks = 0; blocks < 40; blocks += 10) expect(await statusAfter(10)).toBe('confirming');
    expect((await fixture.coverage())?.number).toBe(before?.number);
    expect(await statusAfter(40)).toBe('confirming');
    expect(await fixture.eventTypes(PI)).not.toContain('DepthReached');
    fixture.chain.isAgreed = true;
    expect(await statusAfter(1)).toBe('confirmed');
  });

  it.each(NETWORK_IDS)('on %s, when large, waits until a second provider has the same receipt', async network => {
    await paid({ network }, 2, LARGE);
    fixture.chain.isSecondInStep = false;
    const { confirmations } = NETWORKS[network].finality.live.large;
    expect(await statusAfter(confirmations + 20)).toBe('confirming');
    fixture.chain.isSecondInStep = true;
    expect(await statusAfter(1)).toBe('confirmed');
  });

  it.each(NETWORK_IDS)('on %s does not need a second provider when it is not large', async network => {
    await paid({ network }, 2);
    fixture.chain.isSecondInStep = false;
    expect(await statusAfter(NETWORKS[network].finality.live.standard.confirmations)).toBe('confirmed');
  });

  it('on TRON, when large, counts 27 deep in a solid block', async () => {
    await paid({ network: 'tron' }, 18, LARGE);
    expect(await statusAfter(26)).toBe('confirming');
    fixture.chain.finalityLag = 40;
    expect(await statusAfter(1)).toBe('confirming');
    fixture.chain.finalityLag = 18;
    expect(await statusAfter(1)).toBe('confirmed');
  });

  it('that failed on re-execution is not given up before that is deep: it may come back', async () => {
    await paid({ network: 'base' }, 2);
    const due = BigInt(((await fixture.payment(PI)) as QuotedPaymentIntent).quote.due_base_units);
    const transfer = fixture.transfer(HASH, due);
    fixture.chain.reorganise(1, [{ ...transfer, hasFailed: true }]);
    expect(await statusAfter(15)).toBe('detected');
    fixture.chain.reorganise(16, [transfer]);
    expect(await statusAfter(20)).toBe('confirmed');
  });
});

describe('a transfer that a provider left out', () => {
  /** Blocks by their hash come without their transfers; ranges of final ones have them. */
  class ForgetfulChain extends ScriptedChain {
    readonly ranges: (readonly [number, number])[] = [];

    override async transfersInBlock() {
      await this.head();
      return { transfers: [], unread: [] };
    }

    override transfersInRange(from: number, to: number, contract: string, recipients: readonly string[]) {
      this.ranges.push([from, to]);
      return super.transfersInRange(from, to, contract, recipients);
    }
  }

  let chain: ForgetfulChain;
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;

  beforeEach(async () => {
    chain = new ForgetfulChain(NOON);
    fixture = new PaymentFixture({ mode: 'live', chain });
    chain.mineEmpty(40);
    watcher = await fixture.watcher();
    await watcher.tick();
    const due = await fixture.quoted(PI);
    chain.mine({ ...fixture.transfer(HASH, due), contract: fixture.token.contract.live });
  });

  it('is found before the cursor passes it, where real money is', async () => {
    const paidIn = chain.height;
    await watcher.tick();
    expect((await fixture.payment(PI)).status).toBe('awaiting_payment');
    chain.mineEmpty(NETWORKS.base.finality.live.standard.confirmations);
    await watcher.tick();
    expect((await fixture.coverage())?.number).toBeGreaterThanOrEqual(paidIn);
    expect(await fixture.eventTypes(PI)).toContain('TransferDetected');
  });

  it('is found too where all of the open end became final while nobody looked', async () => {
    chain.isAgreed = false;
    await watcher.tick();
    expect((await fixture.payment(PI)).status).toBe('awaiting_payment');
    chain.isAgreed = true;
    chain.mineEmpty(60);
    await watcher.tick();
    expect(await fixture.eventTypes(PI)).toContain('TransferDetected');
  });

  it('is looked for once in each range, also after a long absence from a chain that finalizes late', async () => {
    chain.finalityLag = 600;
    chain.mineEmpty(12_000);
    await watcher.tick();
    chain.mineEmpty(1);
    await watcher.tick();
    const heights = chain.ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n));
    expect(new Set(heights).size).toBe(heights.length);
    expect((await fixture.coverage())?.number).toBe(chain.height - 20);
  });
});

describe('a transfer that a provider told wrongly', () => {
  const OTHER_PI = 'pi_00000000000000000000000002';

  /** Blocks by their hash come with other amounts and payers; ranges of final ones and receipts are right. */
  class GarblingChain extends ScriptedChain {
    told: Partial<Pick<ObservedTransfer, 'valueBaseUnits' | 'from'>> = {};

    override async transfersInBlock(hash: string, contract: string, recipients: readonly string[]) {
      const right = await super.transfersInBlock(hash, contract, recipients);
      return { ...right, transfers: right.transfers.map(transfer => ({ ...transfer, ...this.told })) };
    }
  }

  let chain: GarblingChain;
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;
  let due: bigint;

  beforeEach(async () => {
    chain = new GarblingChain(NOON);
    fixture = new PaymentFixture({ mode: 'live', chain });
    chain.mineEmpty(40);
    watcher = await fixture.watcher();
    await watcher.tick();
    due = await fixture.quoted(PI);
  });

  async function statusesAtDepth(): Promise<readonly string[]> {
    chain.mine({ ...fixture.transfer(HASH, due), contract: fixture.token.contract.live });
    await watcher.tick();
    for (let n = 0; n < 2; n++) {
      chain.mineEmpty(NETWORKS.base.finality.live.standard.confirmations);
      await watcher.tick();
    }
    return Promise.all([PI, OTHER_PI].map(async id => (await fixture.payment(id)).status));
  }

  it('is taken as it is when all is looked at once more', async () => {
    chain.told = { valueBaseUnits: due + 1_000_000n };
    expect(await statusesAtDepth()).toStrictEqual(['confirmed', 'none']);
  });

  it('is taken off the payment that it seemed to be of', async () => {
    chain.told = { valueBaseUnits: await fixture.quoted(OTHER_PI) };
    expect(await statusesAtDepth()).toStrictEqual(['confirmed', 'failed']);
    expect(await fixture.eventTypes(OTHER_PI)).not.toContain('DepthReached');
  });

  it.each([
    ['an amount within the tolerance', () => ({ valueBaseUnits: due + 2n })],
    ['another payer', () => ({ from: ADDRESS })],
  ])('is credited as it is where it was told with %s', async (_name, told) => {
    chain.told = told();
    expect(await statusesAtDepth()).toStrictEqual(['confirmed', 'none']);
    const { transfers } = ((await fixture.payment(PI)) as QuotedPaymentIntent).ledger;
    expect(Object.values(transfers)).toMatchObject([{ value_base_units: due.toString(), from: PAYER }]);
  });
});
