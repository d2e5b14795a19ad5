import { microDepositsProjection } from '../../../projections/micro-deposits.projection';
import { walletsProjection } from '../../../projections/wallets.projection';
import { mirrorWriter, StoredReadModels } from '../../../projections/runner/read-models';
import { composeMatching, type Matching } from '../../../src/composition/matching';
import { composeWatcher } from '../../../src/composition/payments';
import type { WatchedNetwork } from '../../../src/composition/ports';
import { MINUTE_MS } from '../../../src/kernel/clock';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { parseStreamName, type RecordedEvent } from '../../../src/kernel/event';
import type { Screening } from '../../../src/kernel/ports/screening';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { NETWORKS } from '../../../src/vocabulary/networks';
import { SystemCommands } from '../../../src/kernel/system-commands';
import { WritePath } from '../../../src/kernel/write-path';
import {
  AskMicroDeposit,
  AskMicroDepositHandler,
} from '../../../src/modules/wallets/commands/ask-micro-deposit.command';
import {
  AwaitMicroDeposit,
  AwaitMicroDepositHandler,
} from '../../../src/modules/wallets/commands/await-micro-deposit.command';
import { watchPolicy } from '../../../src/vocabulary/watch-policy';
import { microDeposits } from '../../../src/modules/wallets/micro-deposit.decider';
import { wallets, type DepositChallenge } from '../../../src/modules/wallets/wallet.decider';
import { AmountReservation } from '../../../src/processes/method-selection/amount-reservation';
import { MicroDepositFollower } from '../../../src/processes/micro-deposit/micro-deposit-follower';
import { MicroDepositMatching } from '../../../src/processes/micro-deposit/micro-deposit-matching';
import { Settlement } from '../../../src/processes/settlement';
import { COVERAGE_COLLECTION, type CoverageDocument } from '../../../src/watchers/coverage-record';
import type { NetworkWatcher } from '../../../src/watchers/network-watcher';
import { COMPLETE_INDEX } from '../../support/complete-index';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { CountingEntropy, ManualClock, NOON, RecordingLog } from '../../support/payment-fixture';
import { ScriptedChain, type ScriptedTransfer } from '../../support/scripted-chain';

const MERCHANT = 'mch_00000000000000000000000001';
const OTHER_MERCHANT = 'mch_00000000000000000000000002';
const WALLET = 'wal_00000000000000000000000001';
const OTHER_WALLET = 'wal_00000000000000000000000002';
const CLAIMED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const VERIFICATION = '0x000000000000000000000000000000000000dEaD';
const TOKEN = TOKENS['usdc-base'];
const DEPTH = NETWORKS.base.finality.test.standard.confirmations;
const WINDOW = NETWORKS.base.reinclusionBlocks;
const HASH = `0x${'11'.repeat(32)}`;
const PROJECTIONS = [walletsProjection, microDepositsProjection];
/** No payment is made here, so no payer is screened. */
const NO_SCREENING: Screening = { screen: () => Promise.reject(new Error('nobody is screened here')) };

/** One claimed address on one scripted chain: the very classes that production runs, over stores in memory. */
class DepositFixture {
  readonly clock = new ManualClock(NOON);
  readonly entropy = new CountingEntropy();
  readonly log = new RecordingLog();
  readonly store = new MemoryEventStore();
  readonly documents = new MemoryDocuments();
  readonly chain = new ScriptedChain(NOON);
  readonly readModels = new StoredReadModels(this.documents, this.store, this.clock);
  readonly writes: WritePath;
  readonly commands: SystemCommands;
  readonly matching: MicroDepositMatching;
  readonly payments: Matching;
  private readonly network: WatchedNetwork = {
    mode: 'test',
    network: 'base',
    chain: this.chain,
    instance: 'scripted',
    policy: watchPolicy('test', false),
  };
  /** While true, events of wallets reach no document. */
  isPutFailing = false;
  private commandCount = 0;

  constructor() {
    const mirror = mirrorWriter(this.documents, PROJECTIONS, this.log);
    this.writes = new WritePath(this.store, this.clock, async (stream, history) => {
      const isLost = this.isPutFailing && parseStreamName(stream).category === 'wallet';
      if (!isLost) await mirror(stream, history);
    });
    this.commands = new SystemCommands(this.writes, this.clock, this.entropy);
    this.matching = new MicroDepositMatching(this.commands, this.log);
    this.payments = composeMatching(this.means(), [this.network], {
      isGaplessBelow: () => Promise.resolve(false),
      headOf: () => Promise.resolve(null),
    });
  }

  /** The watcher as a service makes it at its start; a restart brings a second one. */
  async watcher(): Promise<NetworkWatcher> {
    const { clock, log, commands, payments, network } = this;
    return composeWatcher(this, network, {
      coverage: await this.documents.open<CoverageDocument>(COVERAGE_COLLECTION),
      progress: COMPLETE_INDEX,
      matching: payments,
      settlement: new Settlement(
        commands,
        NO_SCREENING,
        new AmountReservation(this.writes, this.readModels),
        clock,
        log,
      ),
      deposits: {
        address: VERIFICATION,
        matching: this.matching,
        follower: new MicroDepositFollower({ ...this.means(), ...network }),
      },
      tellOperator: () => Promise.resolve(),
    });
  }

  private means() {
    const { writes, commands, readModels, documents, clock, log } = this;
    return { writes, commands, readModels, documents, progress: COMPLETE_INDEX, infersCredits: true, clock, log };
  }

  async claim(walletId: string, merchantId: string): Promise<DepositChallenge> {
    const registration = { network_id: 'base', address: CLAIMED, label: 'Till', controls_private_key: true } as const;
    await this.writes.execute(wallets, walletId, { type: 'register', registration }, this.context(merchantId));
    return this.ask(walletId, merchantId);
  }

  ask(walletId: string, merchantId: string): Promise<DepositChallenge> {
    const addresses = { addressOf: () => VERIFICATION };
    const handler = new AskMicroDepositHandler(this.writes, this.clock, this.entropy, addresses);
    return handler.execute(new AskMicroDeposit(walletId, this.context(merchantId)));
  }

  standing(walletId: string, merchantId: string): Promise<readonly RecordedEvent[]> {
    const handler = new AwaitMicroDepositHandler(this.writes, this.clock, this.readModels);
    return handler.execute(new AwaitMicroDeposit(walletId, this.context(merchantId)));
  }

  deposit(challenge: DepositChallenge, changes: Partial<ScriptedTransfer> = {}): ScriptedTransfer {
    const { address: to, amount_base_units } = challenge;
    const valueBaseUnits = BigInt(amount_base_units);
    return { txHash: HASH, contract: TOKEN.contract.test, from: CLAIMED, to, valueBaseUnits, ...changes };
  }

  /** The deposits that proved nothing, as the log tells of them. */
  get misses(): readonly object[] {
    return this.log.said('a deposit proves no wallet');
  }

  async status(walletId = WALLET): Promise<string> {
    return (await this.writes.load(wallets, 'test', walletId)).state.status;
  }

  async depositStatus({ deposit_id }: DepositChallenge): Promise<string> {
    return (await this.writes.load(microDeposits, 'test', deposit_id)).state.status;
  }

  /** The addresses at which the network's watcher looks. */
  async watched(): Promise<readonly string[]> {
    const equals = { mode: 'test', network_id: 'base', status: 'verified' };
    const listed = await this.readModels.list(walletsProjection, { index: 'by_network', equals, limit: 10 });
    return listed.map(({ id }) => id);
  }

  /** Lets the chain's and the service's time pass together. */
  mineEmpty(count: number): void {
    this.chain.mineEmpty(count);
    this.clock.timeMs += count * 1_000;
  }

  private context(merchantId: string): MerchantContext {
    this.commandCount += 1;
    return {
      commandId: `command-${this.commandCount}`,
      actor: { role: 'merchant', type: 'api_key', id: 'key_1' },
      universe: 'test',
      merchantId,
      startedAt: this.clock.now(),
      now: this.clock.now(),
      requestId: null,
      correlationId: 'test',
      causationId: null,
      ip: null,
    };
  }
}

describe('a wallet that is to be verified by a micro-deposit', () => {
  let fixture: DepositFixture;
  let watcher: NetworkWatcher;
  let challenge: DepositChallenge;

  beforeEach(async () => {
    fixture = new DepositFixture();
    fixture.mineEmpty(20);
    watcher = await fixture.watcher();
    await watcher.tick();
    challenge = await fixture.claim(WALLET, MERCHANT);
  });

  async function send(changes: Partial<ScriptedTransfer> = {}): Promise<void> {
    fixture.chain.mine(fixture.deposit(challenge, changes));
    fixture.clock.timeMs += 1_000;
    await watcher.tick();
  }

  async function deepen(blocks = DEPTH): Promise<void> {
    fixture.mineEmpty(blocks);
    await watcher.tick();
  }

  it('is verified once the deposit has its depth, and not before', async () => {
    const matchedAsPayment = jest.spyOn(fixture.payments.matching, 'observe');
    await send();
    await deepen(DEPTH - 1);
    expect(await fixture.status()).toBe('pending');
    await fixture.standing(WALLET, MERCHANT);
    await deepen(1);
    expect(await fixture.status()).toBe('verified');
    const { history } = await fixture.writes.load(wallets, 'test', WALLET);
    expect(history.at(-1)).toMatchObject({ type: 'WalletVerified', data: { method: 'micro_deposit' } });
    await fixture.standing(WALLET, MERCHANT);
    expect(fixture.misses).toHaveLength(0);
    expect(matchedAsPayment).not.toHaveBeenCalled();
  });

  it('is verified, and its deposit credited, because the deposit was seen', async () => {
    await send();
    await deepen();
    const { deposit_id: id } = challenge;
    const [, seen, credited] = (await fixture.writes.load(microDeposits, 'test', id)).history;
    const [verified] = (await fixture.writes.load(wallets, 'test', WALLET)).history.slice(-1);
    expect([seen?.type, credited?.type, verified?.type]).toEqual([
      'MicroDepositSeen',
      'MicroDepositCredited',
      'WalletVerified',
    ]);
    expect([credited, verified].map(event => event?.metadata.causation_id)).toEqual([seen?.id, seen?.id]);
  });

  it('is followed until the watcher finds the verified wallet', async () => {
    await send();
    fixture.isPutFailing = true;
    await deepen();
    expect(await fixture.status()).toBe('verified');
    expect(await fixture.watched()).toStrictEqual([]);
    fixture.isPutFailing = false;
    await deepen(1);
    expect(await fixture.watched()).toStrictEqual([WALLET]);
    expect(await fixture.depositStatus(challenge)).toBe('credited');
  });

  it.each<[string, (asked: DepositChallenge) => Partial<ScriptedTransfer>]>([
    ['another sender', () => ({ from: STRANGER })],
    ['a base unit more', asked => ({ valueBaseUnits: BigInt(asked.amount_base_units) + 1n })],
    ['a base unit less', asked => ({ valueBaseUnits: BigInt(asked.amount_base_units) - 1n })],
    ['a hundred times as much', asked => ({ valueBaseUnits: BigInt(asked.amount_base_units) * 100n })],
    ['another token', () => ({ contract: STRANGER })],
    ['another recipient', () => ({ to: STRANGER })],
  ])('is not verified by %s, which the log tells', async (name, change) => {
    await send(change(challenge));
    await deepen(DEPTH * 2);
    expect(await fixture.status()).toBe('pending');
    const isSeen = !['another token', 'another recipient'].includes(name);
    expect(fixture.misses).toHaveLength(isSeen ? 1 : 0);
  });

  it('is not verified by a deposit of after its time, however soon the next one is asked for', async () => {
    fixture.mineEmpty(30 * 60);
    await watcher.tick();
    await send();
    await deepen();
    expect(await fixture.status()).toBe('pending');
    expect(fixture.misses).toHaveLength(1);
    await expect(fixture.standing(WALLET, MERCHANT)).rejects.toMatchObject({ code: 'invalid_challenge_field' });
    challenge = await fixture.ask(WALLET, MERCHANT);
    await send({ txHash: `0x${'22'.repeat(32)}` });
    await deepen();
    expect(await fixture.status()).toBe('verified');
  });

  it('is verified by a deposit that was sent in time and became final later', async () => {
    fixture.mineEmpty(30 * 60 - 25);
    await watcher.tick();
    await send();
    fixture.clock.timeMs += MINUTE_MS;
    await deepen();
    expect(await fixture.status()).toBe('verified');
  });

  it('is verified by a deposit in time that an outage kept from being seen', async () => {
    fixture.chain.mine(fixture.deposit(challenge));
    fixture.mineEmpty(60 * 60);
    watcher = await fixture.watcher();
    await watcher.tick();
    expect(await fixture.status()).toBe('verified');
  });

  it('is verified after a restart between the deposit and its depth', async () => {
    await send();
    watcher = await fixture.watcher();
    await deepen();
    expect(await fixture.status()).toBe('verified');
  });

  it('is verified by the first challenge though a second was asked for meanwhile', async () => {
    fixture.mineEmpty(16 * 60);
    await send();
    const second = await fixture.ask(WALLET, MERCHANT);
    expect(second.deposit_id).not.toBe(challenge.deposit_id);
    await deepen();
    expect(await fixture.status()).toBe('verified');
  });

  it('is not verified by the deposit of another merchant who claims the same address', async () => {
    const other = await fixture.claim(OTHER_WALLET, OTHER_MERCHANT);
    fixture.chain.mine(fixture.deposit(other));
    await deepen(DEPTH + 1);
    expect(await fixture.status(OTHER_WALLET)).toBe('verified');
    expect(await fixture.status(WALLET)).toBe('pending');
  });

  describe('in a reorganisation', () => {
    it('is not verified where the deposit is gone, and can be sent anew', async () => {
      await send();
      await deepen(2);
      fixture.chain.reorganise(3);
      await deepen(WINDOW);
      expect(await fixture.status()).toBe('pending');
      expect(fixture.log.lines.map(({ message }) => message)).toContain('micro-deposit dropped');
      await send({ txHash: `0x${'22'.repeat(32)}` });
      await deepen();
      expect(await fixture.status()).toBe('verified');
    });

    it('counts its depth anew where the deposit came back in another block', async () => {
      await send();
      await deepen(DEPTH - 2);
      fixture.chain.reorganise(DEPTH - 1, [fixture.deposit(challenge)]);
      await deepen(1);
      expect(await fixture.status()).toBe('pending');
      await deepen(1);
      expect(await fixture.status()).toBe('verified');
    });

    it('is not verified where it came back with another amount', async () => {
      await send();
      fixture.chain.reorganise(1, [fixture.deposit(challenge, { valueBaseUnits: 77n })]);
      await deepen(1);
      expect(fixture.log.lines).toContainEqual(
        expect.objectContaining({ facts: expect.objectContaining({ reason: 'verification_failed' }) as object }),
      );
      await deepen(DEPTH);
      expect(await fixture.status()).toBe('pending');
    });
  });

  describe('beside very many deposits of one merchant', () => {
    const MANY = 12;
    let challenges: readonly DepositChallenge[];

    beforeEach(async () => {
      const asked: DepositChallenge[] = [];
      for (let number = 0; number < MANY; number++)
        asked.push(await fixture.claim(`wal_${String(100 + number).padStart(26, '0')}`, OTHER_MERCHANT));
      challenges = asked;
      const all = [...challenges, challenge];
      const hashes = all.map((_, number) => `0x${String(100 + number).padStart(64, '0')}`);
      fixture.chain.mine(...all.map((each, number) => fixture.deposit(each, { txHash: hashes[number] ?? '' })));
      fixture.clock.timeMs += 1_000;
      await watcher.tick();
    });

    it('is verified at the depth of its own, with few questions a tick', async () => {
      fixture.mineEmpty(DEPTH);
      const receipts = jest.spyOn(fixture.chain, 'receipt');
      await watcher.tick();
      expect(await fixture.status()).toBe('verified');
      expect(receipts.mock.calls.length).toBeLessThanOrEqual(5);
    });

    it('leaves each of them its turn', async () => {
      fixture.mineEmpty(DEPTH);
      for (let second = 0; second < 3 * MANY; second++) {
        fixture.mineEmpty(1);
        await watcher.tick();
      }
      const statuses = await Promise.all(challenges.map(each => fixture.depositStatus(each)));
      expect(new Set(statuses)).toStrictEqual(new Set(['credited']));
    });
  });

  it('stands still while the provider is down, and goes on where it was', async () => {
    await send();
    fixture.mineEmpty(DEPTH);
    fixture.chain.down = true;
    await expect(watcher.tick()).rejects.toMatchObject({ code: 'provider_unavailable' });
    fixture.chain.down = false;
    await watcher.tick();
    expect(await fixture.status()).toBe('verified');
  });
});
