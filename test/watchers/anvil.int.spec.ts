import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MaxUint256 } from 'ethers';
import type { Chain } from '../../src/kernel/ports/chain';
import { NETWORKS, type NetworkId } from '../../src/vocabulary/networks';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { EvmChain } from '../../src/platform/chains/evm/evm-chain';
import { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { TronFacade } from '../../src/sandbox/tron-facade';
import { TronChain } from '../../src/platform/chains/tron/tron-chain';
import { PaymentFixture, RecordingLog } from '../support/payment-fixture';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';

const PI = 'pi_00000000000000000000000001';
const LIMIT_MS = 30_000;

/** The adapter that production watches the network with, and the parts to end after it. */
async function watched(
  network: NetworkId,
  sandbox: SandboxChain,
): Promise<{ chain: Chain; close: () => Promise<void> }> {
  if (network !== 'tron') {
    const chain = new EvmChain({ network, mode: 'test', urls: [sandbox.rpcUrl] });
    return { chain, close: () => Promise.resolve() };
  }
  const { rpcUrl } = sandbox;
  const facade = await TronFacade.start({ rpcUrl, clock: new SystemClock(), log: new RecordingLog() });
  return { chain: new TronChain({ mode: 'test', urls: [facade.url] }), close: () => facade.close() };
}

describe.each(['bnb', 'base', 'tron'] as const)('watching %s on a real node', network => {
  const depth = NETWORKS[network].finality.test.standard.confirmations;
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-watch-'));
  let sandbox: SandboxChain;
  let chain: Chain;
  let close: () => Promise<void>;
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;

  beforeAll(async () => {
    const clock = new SystemClock();
    sandbox = await SandboxChain.start({ dataFolder, network, clock, log: new RecordingLog(), blockTimeSeconds: null });
    ({ chain, close } = await watched(network, sandbox));
  }, LIMIT_MS);

  afterAll(async () => {
    await close();
    await sandbox.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await chain.check();
    fixture = new PaymentFixture({ network, chain, matchAtFirstSight: true });
    watcher = await fixture.watcher();
    await watcher.tick();
  });

  /** Sends the due amount and puts it into a block. */
  async function pay(): Promise<string> {
    const baseUnits = await fixture.quoted(PI);
    const hash = await sandbox.sendToken({ tokenId: fixture.token.id, to: fixture.address, baseUnits, fromIndex: 2 });
    await sandbox.mine(1);
    await watcher.tick();
    return hash;
  }

  async function status(): Promise<string> {
    return (await fixture.payment(PI)).status;
  }

  it('follows a transfer to its depth, and records how far the chain is covered', async () => {
    const before = await fixture.coverage();
    await pay();
    expect(await status()).toBe('detected');
    await sandbox.mine(1);
    await watcher.tick();
    expect(await status()).toBe('confirming');
    await sandbox.mine(depth - 2);
    await watcher.tick();
    expect(await status()).toBe('confirming');
    await sandbox.mine(1);
    await watcher.tick();
    expect(await status()).toBe('confirmed');
    const covered = await fixture.coverage();
    expect(covered?.head_number).toBe((before?.head_number ?? 0) + depth + 1);
    expect(covered?.number).toBeGreaterThan(before?.number ?? Infinity);
  });

  it('finds a transfer again that a reorganisation puts into another block', async () => {
    const hash = await pay();
    await sandbox.mine(2);
    await watcher.tick();
    const rawTransaction = (await sandbox.rawTransaction(hash)) ?? '';
    await sandbox.reorg(3, [{ rawTransaction, offset: 1 }]);
    await watcher.tick();
    const types = await fixture.eventTypes(PI);
    expect(types.filter(type => type === 'TransferDetected')).toHaveLength(2);
    await sandbox.mine(depth);
    await watcher.tick();
    expect(await status()).toBe('confirmed');
  });

  it('fails a payment whose transfer is gone, once its time to come back has passed', async () => {
    await pay();
    await sandbox.reorg(1);
    await watcher.tick();
    await sandbox.mine(NETWORKS[network].reinclusionBlocks - 1);
    await watcher.tick();
    expect(await status()).toBe('detected');
    await sandbox.mine(1);
    await watcher.tick();
    expect(await status()).toBe('failed');
  });

  it('takes neither a transfer of nothing nor a failed one for a payment', async () => {
    await fixture.quoted(PI);
    const before = await fixture.store.lastPosition();
    const payment = { tokenId: fixture.token.id, to: fixture.address };
    await sandbox.sendToken({ ...payment, baseUnits: 0n, fromIndex: 2 });
    await sandbox.sendToken({ ...payment, baseUnits: MaxUint256 });
    await sandbox.mine(1);
    await watcher.tick();
    expect(await status()).toBe('awaiting_payment');
    expect(await fixture.store.lastPosition()).toBe(before);
  });

  it('takes no look-alike token for the approved one', async () => {
    const baseUnits = await fixture.quoted(PI);
    await sandbox.sendLookalike({ tokenId: fixture.token.id, to: fixture.address, baseUnits });
    await sandbox.mine(1);
    await watcher.tick();
    expect(await status()).toBe('awaiting_payment');
  });
});
