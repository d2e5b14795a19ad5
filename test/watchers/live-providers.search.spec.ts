import { isRefusal } from '../../src/vocabulary/errors';
import { MINUTE_MS } from '../../src/kernel/clock';
import type { Chain } from '../../src/kernel/ports/chain';
import { NETWORK_IDS, NETWORKS } from '../../src/vocabulary/networks';
import { EvmChain } from '../../src/platform/chains/evm/evm-chain';
import type { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { TronFacade } from '../../src/sandbox/tron-facade';
import { TronChain } from '../../src/platform/chains/tron/tron-chain';
import { SystemClock } from '../../src/platform/clock/system-clock';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { searchSize } from '../levels/search-size';
import { MainnetDisguise } from '../platform/chains/mainnet-disguise';
import { silentLog, startSandbox, temporaryFolder } from '../sandbox/local-chain';
import { ManualClock, NOON, PaymentFixture } from '../support/payment-fixture';

const PI = 'pi_00000000000000000000000001';
const SECOND_PI = 'pi_00000000000000000000000002';
/** 10,000.00 EUR at 1.08 are 10,800 tokens, of a dollar each. */
const LARGE = '1000000';
const LIMIT_MS = 60_000;

/** The first so many of them: TRON, whose provider is of another kind, comes first. */
const TRIED = NETWORK_IDS.slice(0, searchSize('LIVE_NETWORKS', { small: 1, full: 3 }));

describe.each(TRIED)('a payment in live mode on %s, by two providers', network => {
  const { large, standard } = NETWORKS[network].finality.live;
  const { folder, remove } = temporaryFolder();
  const closing: (() => Promise<unknown>)[] = [];
  let sandbox: SandboxChain;
  let second: MainnetDisguise;
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;

  beforeAll(async () => {
    sandbox = await startSandbox(folder, { network, blockTimeSeconds: null });
    let target = sandbox.rpcUrl;
    if (network === 'tron') {
      const facade = await TronFacade.start({ rpcUrl: target, clock: new SystemClock(), log: silentLog });
      closing.push(() => facade.close());
      target = facade.url;
    }
    const providers = [await MainnetDisguise.start(network, target), await MainnetDisguise.start(network, target)];
    closing.push(...providers.map(provider => () => provider.stop()));
    second = providers[1] as MainnetDisguise;
    const clock = new ManualClock(NOON);
    const options = { mode: 'live', urls: providers.map(({ url }) => url), clock } as const;
    const chain: Chain = network === 'tron' ? new TronChain(options) : new EvmChain({ network, ...options });
    await chain.check();
    fixture = new PaymentFixture({ mode: 'live', network, chain, clock, matchAtFirstSight: true });
    await sandbox.mine(large.confirmations + 20);
    watcher = await fixture.watcher();
    await watcher.tick();
  }, LIMIT_MS);

  afterAll(async () => {
    for (const close of closing) await close();
    await sandbox.stop();
    remove();
  });

  async function paid(id: string, amount: string): Promise<void> {
    const baseUnits = await fixture.quoted(id, amount);
    await sandbox.sendToken({ tokenId: fixture.token.id, to: fixture.address, baseUnits, fromIndex: 2 });
    await sandbox.mine(1);
    await watcher.tick();
    expect(await status(id)).toBe('detected');
  }

  /** Providers that contradict each other are no reason to stop: the watcher tries again. */
  async function tickAfter(blocks: number): Promise<void> {
    await sandbox.mine(blocks);
    fixture.clock.timeMs += MINUTE_MS;
    await watcher.tick().catch((error: unknown) => {
      if (!isRefusal(error) || !error.code.startsWith('provider_')) throw error;
    });
  }

  async function status(id: string): Promise<string> {
    return (await fixture.payment(id)).status;
  }

  it(
    'is confirmed at the standard depth while it is not large',
    async () => {
      await paid(PI, '2500');
      await tickAfter(standard.confirmations - 1);
      expect(await status(PI)).toBe('confirming');
      await tickAfter(1);
      expect(await status(PI)).toBe('confirmed');
    },
    LIMIT_MS,
  );

  it(
    'waits, when it is large, for the receipt of the second provider, however deep it lies',
    async () => {
      await paid(SECOND_PI, LARGE);
      expect(await fixture.payment(SECOND_PI)).toMatchObject({
        quote: { finality_tier: 'large', required_confirmations: large.confirmations },
      });
      await tickAfter(large.confirmations - 1);
      expect(await status(SECOND_PI)).toBe('confirming');
      second.hidesReceipts = true;
      for (const blocks of [1, 5, 20]) {
        await tickAfter(blocks);
        expect(await status(SECOND_PI)).toBe('confirming');
      }
      second.hidesReceipts = false;
      await tickAfter(1);
      expect(await status(SECOND_PI)).toBe('confirmed');
    },
    LIMIT_MS,
  );
});
