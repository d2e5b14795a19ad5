import type { Chain } from '../../src/kernel/ports/chain';
import type { Quote } from '../../src/modules/payment-intents/payment-intent.events';
import type { LedgerTransfer } from '../../src/modules/payment-intents/payment-intent.state';
import type { ChainView } from '../../src/watchers/chain-view';
import { TransferChecks } from '../../src/watchers/transfer-checks';

const QUOTE = { token_id: 'usdt-bnb', finality_tier: 'standard', required_confirmations: 15 } as Quote;
const TRANSFER = { transfer_id: 'tr_1', tx_hash: '0x01', block_number: 100, block_hash: '0xaa' } as LedgerTransfer;
/** Blocks that BNB gives a vanished transaction while it finalizes. */
const WINDOW = 30;

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
