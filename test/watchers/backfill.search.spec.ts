import { PAID_EVERY, SyntheticNode } from '../../bench/synthetic-node';
import { EvmChain } from '../../src/platform/chains/evm/evm-chain';
import { searchSize } from '../levels/search-size';
import { ADDRESS, NOON, PaymentFixture } from '../support/payment-fixture';
import { recordedEvents } from '../support/recorded-events';

const LIMIT_MS = 120_000;
/** BNB makes a block in 450 ms. */
const BLOCKS_A_SECOND = 2.22;
const HOURS_AWAY = searchSize('BACKFILL_HOURS', { small: 1, full: 3 });
const OUTAGE_BLOCKS = Math.ceil(HOURS_AWAY * 3_600 * BLOCKS_A_SECOND);
const TIMES_LIVE = 50;
const START = 1_000;
const DEPTH = 15;

describe('a watcher of BNB that was away for hours', () => {
  let node: SyntheticNode;
  let fixture: PaymentFixture;

  beforeEach(async () => {
    // The node takes ranges as the narrower ones of the paid plans do.
    node = await SyntheticNode.start(NOON, ADDRESS, 100);
    node.height = START;
    const chain = new EvmChain({ network: 'bnb', mode: 'test', urls: [node.url] });
    fixture = new PaymentFixture({ network: 'bnb', chain });
  });

  afterEach(() => node.close());

  async function heightsOfTransfers(): Promise<readonly number[]> {
    const seen = await recordedEvents(fixture.store, 'transfer', 'TransferSeen');
    return seen.map(({ data }) => data.block_number as number).sort((a, b) => a - b);
  }

  it(
    'has read all that came meanwhile at fifty times the speed of the chain, and found each transfer once',
    async () => {
      await (await fixture.watcher()).tick();
      const startedAt = process.hrtime.bigint();
      node.height += OUTAGE_BLOCKS;
      const watcher = await fixture.watcher();
      await watcher.tick();
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
      expect(OUTAGE_BLOCKS / seconds / BLOCKS_A_SECOND).toBeGreaterThan(TIMES_LIVE);
      expect((await fixture.coverage())?.number).toBe(START + OUTAGE_BLOCKS - DEPTH);
      await watcher.auditCoverage();
      expect(watcher.alarm).not.toBe('gaps');
      const paid = Array.from({ length: Math.floor(OUTAGE_BLOCKS / PAID_EVERY) }, (_, n) => START + n * PAID_EVERY);
      expect(await heightsOfTransfers()).toStrictEqual([...paid, START + paid.length * PAID_EVERY]);
    },
    LIMIT_MS,
  );

  it(
    'that fails half-way goes on from what it has recorded, and reads no block again that is covered',
    async () => {
      await (await fixture.watcher()).tick();
      node.height += OUTAGE_BLOCKS;
      const inRange = EvmChain.prototype.transfersInRange;
      let ranges = 0;
      const broken = jest.spyOn(EvmChain.prototype, 'transfersInRange').mockImplementation(async function (
        this: EvmChain,
        ...question
      ) {
        if (++ranges > 3 * HOURS_AWAY + 1) throw new Error('the process ends here');
        return inRange.apply(this, question);
      });
      await expect((await fixture.watcher()).tick()).rejects.toThrow('the process ends here');
      broken.mockRestore();
      const reached = (await fixture.coverage())?.number ?? 0;
      expect(reached).toBeGreaterThan(START);
      expect(reached).toBeLessThan(START + OUTAGE_BLOCKS - DEPTH);
      const asked = jest.spyOn(EvmChain.prototype, 'transfersInRange');
      await (await fixture.watcher()).tick();
      expect(Math.min(...asked.mock.calls.map(([from]) => from))).toBe(reached + 1);
      asked.mockRestore();
      const heights = await heightsOfTransfers();
      expect(new Set(heights).size).toBe(heights.length);
      expect(heights.at(-1)).toBeGreaterThan(START + OUTAGE_BLOCKS - 2 * PAID_EVERY);
    },
    LIMIT_MS,
  );
});
