import { isRefusal } from '../../../src/vocabulary/errors';
import { SECOND_MS } from '../../../src/kernel/clock';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { TronFacade } from '../../../src/sandbox/tron-facade';
import { noFaults, type TronFault, type TronFaults } from '../../../src/sandbox/tron/tron-faults';
import type { SandboxChain } from '../../../src/sandbox/sandbox-chain';
import { TronChain } from '../../../src/platform/chains/tron/tron-chain';
import { SystemClock } from '../../../src/platform/clock/system-clock';
import { searchSize } from '../../levels/search-size';
import { Prng } from '../../simulation/prng';
import { ManualClock, NOON, PaymentFixture } from '../../support/payment-fixture';
import { silentLog, startSandbox, temporaryFolder } from '../../sandbox/local-chain';
import { MainnetDisguise } from './mainnet-disguise';
import { recordedEvents } from '../../support/recorded-events';

const LIMIT_MS = 600_000;
const SEED = 7;
const STEPS = searchSize('TRON_FAULT_STEPS', { small: 8, full: 60 });
const QUIET_BLOCKS = 60;
const MOST_HEALING_STEPS = 100;
const MOST_TRIES_TO_BEGIN = 20;
const TIMEOUT_MS = 300;
/** Another account than that of the payments' wallet. */
const PAYER_INDEX = 2;
const FAULT_PERCENT = 30;
/** Later they fail less, so that the test comes to its end. */
const HEALING_PERCENT = 5;
const FAULTS: readonly TronFault[] = [
  'lite_node',
  { status: 429 },
  { status: 503 },
  { error: 'class java.lang.NullPointerException' },
];
const TOKEN = TOKENS['usdt-tron'];

describe('three full nodes of TRON that fail at 30 % of calls, of which one at a time lies', () => {
  const prng = new Prng(SEED);
  const { folder, remove } = temporaryFolder();
  const closing: (() => Promise<unknown>)[] = [];
  const faults: TronFaults[] = [noFaults(), noFaults(), noFaults()];
  const clock = new ManualClock(NOON);
  let sandbox: SandboxChain;
  let fixture: PaymentFixture;

  beforeAll(async () => {
    sandbox = await startSandbox(folder, { network: 'tron', blockTimeSeconds: null });
    const urls: string[] = [];
    for (const own of faults) {
      const facade = await TronFacade.start({
        rpcUrl: sandbox.rpcUrl,
        clock: new SystemClock(),
        log: silentLog,
        faults: own,
      });
      const disguise = await MainnetDisguise.start('tron', facade.url);
      closing.push(
        () => disguise.stop(),
        () => facade.close(),
      );
      urls.push(disguise.url);
    }
    const chain = new TronChain({ mode: 'live', urls, clock, timeoutMs: TIMEOUT_MS });
    fixture = new PaymentFixture({ mode: 'live', network: 'tron', chain, clock, matchAtFirstSight: true });
  }, LIMIT_MS);

  afterAll(async () => {
    for (const close of closing) await close();
    await sandbox.stop();
    remove();
  });

  /** A node that hides logs, stands on a fork or lags behind does so for a step; the other two only fail. */
  function trouble(percent: number, height: number, sent: readonly string[]): void {
    const liar = prng.below(faults.length);
    for (const [index, own] of faults.entries()) {
      const answer = () => (prng.chance(percent) ? (prng.chance(2) ? 'hang' : prng.pick(FAULTS)) : null);
      Object.assign(own, noFaults(), { answer });
      if (index !== liar) continue;
      const lie = prng.pick(['logs', 'fork', 'stale'] as const);
      if (lie === 'logs') own.hiddenLogsOf = new Set(sent);
      if (lie === 'fork') own.forkFrom = Math.max(1, height - prng.below(10));
      if (lie === 'stale') own.staleBlocks = 1 + prng.below(40);
    }
  }

  async function seen(): Promise<readonly string[]> {
    const found = await recordedEvents(fixture.store, 'transfer', 'TransferSeen');
    return found
      .map(({ stream, data }) => `${stream.slice('live.transfer-tron:'.length)} ${String(data.value_base_units)}`)
      .sort();
  }

  it(
    'leave nothing out and make nothing up',
    async () => {
      const watcher = await fixture.watcher();
      const made: string[] = [];
      const sent: string[] = [];
      let refusals = 0;
      const unlessRefused = (look: Promise<void>): Promise<void> =>
        look.catch((error: unknown) => {
          if (!isRefusal(error) || !error.code.startsWith('provider_')) throw error;
          refusals += 1;
        });
      const tick = async (): Promise<void> => {
        clock.timeMs += 3 * SECOND_MS;
        await unlessRefused(watcher.tick());
        await unlessRefused(watcher.retrySetAside());
      };
      await sandbox.mine(QUIET_BLOCKS);
      // A node that is only slow counts as failing: nobody has to find a block from before the first look.
      for (let tries = 0; tries < MOST_TRIES_TO_BEGIN && (await fixture.coverage()) === null; tries++) await tick();
      for (let step = 0; step < STEPS; step++) {
        const values = Array.from({ length: prng.below(3) }, () => 1_000_000 + prng.below(1_000_000));
        if (values.length > 0) {
          const transfers = values.map(value => ({ to: fixture.address, baseUnits: BigInt(value) }));
          const hash = await sandbox.sendTokens({ tokenId: TOKEN.id, transfers, fromIndex: PAYER_INDEX });
          sent.push(hash);
          made.push(...values.map((value, ordinal) => `${hash}:${ordinal} ${value}`));
        }
        await sandbox.mine(1 + prng.below(4));
        trouble(FAULT_PERCENT, await sandbox.headNumber(), sent);
        await tick();
      }
      expect(refusals).toBeGreaterThan(0);
      await sandbox.mine(QUIET_BLOCKS);
      const end = await sandbox.headNumber();
      let healing = 0;
      const isCovered = async () => ((await fixture.coverage())?.number ?? 0) >= end - QUIET_BLOCKS;
      // A block whose readings differ is set aside, and read again beside the scan.
      const isWhole = async () => (await isCovered()) && (await fixture.setAside().holes(1)).length === 0;
      for (; healing < MOST_HEALING_STEPS && !(await isWhole()); healing++) {
        trouble(HEALING_PERCENT, end, sent);
        await tick();
      }
      expect(healing).toBeLessThan(MOST_HEALING_STEPS);
      expect(await seen()).toEqual(made.sort());
      await watcher.auditCoverage();
      expect(watcher.alarm).not.toBe('gaps');
    },
    LIMIT_MS,
  );
});
