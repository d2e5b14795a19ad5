import type { Chain, ObservedTransfer, Receipt } from '../../src/kernel/ports/chain';
import { TOKENS } from '../../src/vocabulary/tokens';
import type { Quote } from '../../src/modules/payment-intents/payment-intent.events';
import type { LedgerTransfer } from '../../src/modules/payment-intents/payment-intent.state';
import type { ChainView } from '../../src/watchers/chain-view';
import { TransferChecks } from '../../src/watchers/transfer-checks';

const QUOTE = { token_id: 'usdt-bnb', address: '0x07', finality_tier: 'standard', required_confirmations: 15 } as Quote;
const TRANSFER: LedgerTransfer = {
  attribution: 'exact',
  transfer_id: 'tr_1',
  tx_hash: '0x01',
  ordinal: 1,
  from: '0x05',
  value_base_units: '27',
  block_number: 100,
  block_hash: '0xaa',
  block_time: '2026-11-01T12:05:00.000Z',
  final: false,
  sighting: 1,
};
/** Blocks that BNB gives a vanished transaction. */
const WINDOW = 240;

describe('a transfer that one provider has not got', () => {
  let agreed: string | null;
  let checks: TransferChecks;

  beforeEach(() => {
    agreed = '0xbb';
    const chain: Pick<Chain, 'receipt'> = { receipt: () => Promise.resolve(null) };
    checks = new TransferChecks('live', 'bnb', chain as Chain);
  });

  function look(headNumber: number, blockHash = '0xaa') {
    const view = {
      head: { number: headNumber },
      finalizedHeight: headNumber,
      hashAt: () => Promise.resolve('0xcc'),
      agreedHash: () => Promise.resolve(agreed),
    };
    return checks.standingOf(QUOTE, { ...TRANSFER, block_hash: blockHash }, view as unknown as ChainView);
  }

  it('is gone where enough of them agree on another block, once its time to come back is over', async () => {
    expect(await look(200)).toBe('missing');
    expect(await look(200 + WINDOW - 1)).toBe('missing');
    expect(await look(200 + WINDOW)).toBe('reorged_out');
  });

  it.each([
    ['agree that it stands', '0xaa'],
    ['do not agree', null],
  ])('is waited for while they %s', async (_name, hash) => {
    agreed = hash;
    await look(200);
    expect(await look(10_000)).toBe('missing');
  });

  it('has its whole time anew in the block that it came back in', async () => {
    await look(200);
    expect(await look(10_000, '0xdd')).toBe('missing');
    expect(await look(10_000 + WINDOW, '0xdd')).toBe('reorged_out');
  });
});

describe('a transfer held against its receipt', () => {
  const LARGE: Quote = { ...QUOTE, finality_tier: 'large' };
  const other: ObservedTransfer = {
    txHash: '0x01',
    ordinal: 0,
    contract: TOKENS['usdt-bnb'].contract.live,
    from: '0x05',
    to: '0x07',
    valueBaseUnits: 1n,
    blockNumber: 100,
    blockHash: '0xaa',
  };
  const logged: ObservedTransfer = { ...other, ordinal: 1, valueBaseUnits: 27n };
  const right: Receipt = { succeeded: true, blockNumber: 100, blockHash: '0xaa', transfers: [other, logged] };
  const changed = (change: Partial<ObservedTransfer>): Receipt => {
    return { ...right, transfers: [other, { ...logged, ...change }] };
  };
  const FAULTS: readonly (readonly [string, Receipt, string])[] = [
    ['failed', { ...right, succeeded: false }, 'reverted'],
    ['has no such log', { ...right, transfers: [other] }, 'verification_failed'],
    ['has it as another log', changed({ ordinal: 2 }), 'verification_failed'],
    ['has another amount', changed({ valueBaseUnits: 28n }), 'verification_failed'],
    ['has another payer', changed({ from: '0x06' }), 'verification_failed'],
    ['pays another address', changed({ to: '0x08' }), 'verification_failed'],
    ['is of test mode’s token', changed({ contract: TOKENS['usdt-bnb'].contract.test }), 'verification_failed'],
    ['is of another token', changed({ contract: TOKENS['usdc-base'].contract.live }), 'verification_failed'],
  ];

  let receipt: Receipt | null;
  let second: Receipt | null;
  let agreed: string;
  let hash: string;

  beforeEach(() => {
    [receipt, second, agreed, hash] = [right, right, '0xaa', '0xaa'];
  });

  const chain: Pick<Chain, 'receipt' | 'secondReceipt'> = {
    receipt: () => Promise.resolve(receipt),
    secondReceipt: () => Promise.resolve(second),
  };
  const viewFrom = (headNumber: number): ChainView => {
    const view = {
      head: { number: headNumber },
      finalizedHeight: headNumber,
      scanned: { head: { number: headNumber }, finalizedHeight: headNumber },
      hashAt: () => Promise.resolve(hash),
      agreedHash: () => Promise.resolve(agreed),
    };
    return view as unknown as ChainView;
  };
  const finality = (quote = QUOTE, headNumber = 115) =>
    new TransferChecks('live', 'bnb', chain as Chain).finality(quote, TRANSFER, viewFrom(headNumber));

  it('counts at its depth, in the block that enough providers agree on, where the receipt has it', async () => {
    expect([await finality(QUOTE, 114), await finality()]).toStrictEqual([false, true]);
    receipt = { ...right, blockHash: '0xbb' };
    expect(await finality()).toBe(false);
    receipt = null;
    expect(await finality()).toBe(false);
    [receipt, agreed] = [right, '0xbb'];
    expect(await finality()).toBe(false);
  });

  it.each(FAULTS)('never counts where the receipt %s', async (_name, wrong, reason) => {
    receipt = wrong;
    expect([await finality(), await finality(LARGE)]).toStrictEqual([reason, reason]);
  });

  it.each(FAULTS)('waits, when large, where a second receipt %s', async (_name, wrong) => {
    expect(await finality(LARGE)).toBe(true);
    second = wrong;
    expect([await finality(), await finality(LARGE)]).toStrictEqual([true, false]);
  });

  it('waits, when large, where the second receipt is of another block, or none', async () => {
    second = { ...right, blockHash: '0xbb' };
    expect(await finality(LARGE)).toBe(false);
    second = null;
    expect(await finality(LARGE)).toBe(false);
  });

  describe('off its block', () => {
    let checks: TransferChecks;

    beforeEach(() => {
      hash = '0xcc';
      checks = new TransferChecks('live', 'bnb', chain as Chain);
    });

    const standing = (headNumber: number, id = 'tr_1') =>
      checks.standingOf(QUOTE, { ...TRANSFER, transfer_id: id }, viewFrom(headNumber));

    it.each(FAULTS)('is given up once its new block is as deep, where the receipt %s', async (_name, wrong, reason) => {
      receipt = { ...wrong, blockNumber: 105, blockHash: '0xbb' };
      expect([await standing(119), await standing(120)]).toStrictEqual(['missing', reason]);
    });

    it('is to be observed where it came back as it was', async () => {
      receipt = { ...right, blockNumber: 105, blockHash: '0xbb' };
      expect(await standing(10_000)).toBe('elsewhere');
      receipt = right;
      expect(await standing(10_000)).toBe('missing');
    });

    it('stands in its block, and not while the head is below it', async () => {
      hash = '0xaa';
      expect([await standing(100), await standing(99)]).toStrictEqual(['standing', 'missing']);
    });

    it('has its whole time anew when it has been seen since, in its block or a receipt', async () => {
      agreed = '0xbb';
      for (const seen of ['block', 'receipt']) {
        [receipt, hash] = [null, '0xcc'];
        expect(await standing(200)).toBe('missing');
        if (seen === 'block') hash = '0xaa';
        else receipt = right;
        await standing(210);
        [receipt, hash] = [null, '0xcc'];
        expect(await standing(200 + WINDOW)).toBe('missing');
        expect(await standing(200 + 2 * WINDOW)).toBe('reorged_out');
        [receipt, hash] = [right, '0xaa'];
        await standing(300);
      }
    });

    it('is remembered beside ten thousand others, of which the first is forgotten', async () => {
      [receipt, agreed] = [null, '0xbb'];
      for (let count = 0; count < 10_000; count++) await standing(200, `tr_${count}`);
      expect(await standing(200 + WINDOW, 'tr_0')).toBe('reorged_out');
      await standing(200 + WINDOW, 'tr_10000');
      expect(await standing(200 + WINDOW, 'tr_1')).toBe('reorged_out');
      expect(await standing(200 + WINDOW, 'tr_0')).toBe('missing');
    });
  });
});
