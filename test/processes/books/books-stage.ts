import { DAY_MS, startOfDay } from '../../../src/kernel/clock';
import type { ChainBalances } from '../../../src/kernel/ports/chain-balances';
import { balances, balanceStreamId } from '../../../src/modules/books/balance.decider';
import type { DayReconciled } from '../../../src/modules/books/balance.events';
import { dayOf } from '../../../src/modules/books/utc-day';
import { wallets } from '../../../src/modules/wallets/wallet.decider';
import { tronTwin } from '../../../src/platform/chains/tron/tron-address';
import { Bookkeeper } from '../../../src/processes/books/bookkeeper';
import type { NetworkWatcher } from '../../../src/watchers/network-watcher';
import { walletsProjection } from '../../../projections/wallets.projection';
import { INSTANCE, MERCHANT, NOON, PaymentFixture, WALLET, type FixtureOptions } from '../../support/payment-fixture';
import type { ScriptedTransfer } from '../../support/scripted-chain';

export const FIRST_DAY = dayOf(NOON);
export const SECOND_WALLET = 'wal_00000000000000000000000002';
export const SECOND_ADDRESS = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
/** More than the depth of any network of test mode. */
const DEEP = 25;
/** Twice the blocks in which a vanished transfer may come back, and some. */
const LONG_MISSED = 130;
const MOST_ROUNDS = 200;

/** A merchant with two wallets, the watcher and the bookkeeper of one scripted chain, and the days of its blocks. */
export class BooksStage {
  readonly fixture: PaymentFixture;
  readonly secondAddress: string;
  private watching: NetworkWatcher | null = null;
  keeper: Bookkeeper | null = null;

  constructor(options: Partial<FixtureOptions> = {}) {
    this.fixture = new PaymentFixture({ infers: true, ...options });
    this.secondAddress = this.addressOf(SECOND_ADDRESS);
  }

  /** The account of a key, as the network writes it. */
  addressOf(address: string): string {
    return this.fixture.network === 'tron' ? tronTwin(address) : address;
  }

  get chain() {
    return this.fixture.chain;
  }

  async begin(): Promise<void> {
    const { fixture } = this;
    this.watching = await fixture.watcher();
    await this.addWallet(WALLET, fixture.address);
    await this.addWallet(SECOND_WALLET, this.secondAddress);
    // The watcher's first look begins the coverage. Two minutes later no wallet is new any more.
    await this.pass(DEEP);
    await this.pass(120);
    this.keeper = await this.bookkeeper();
  }

  async addWallet(id: string, address: string, merchantId = MERCHANT): Promise<void> {
    const { writes, mode, network, token, documents, clock } = this.fixture;
    const context = { ...this.fixture.context(), merchantId };
    const registration = { network_id: network, address, label: 'Till', controls_private_key: true };
    const challenge = {
      method: 'micro_deposit',
      deposit_id: `deposit-${id}`,
      address,
      token_id: token.id,
      amount_base_units: '1001',
      expires_at: '2026-11-02T00:00:00.000Z',
    } as const;
    const step = (name: string) => ({ ...context, commandId: `${id}/${name}` });
    await writes.execute(wallets, id, { type: 'register', registration }, step('register'));
    await writes.execute(wallets, id, { type: 'ask_deposit', challenge }, step('ask'));
    const credit = { type: 'credit_deposit', depositId: challenge.deposit_id } as const;
    await writes.execute(wallets, id, credit, {
      ...step('credit'),
      actor: { role: 'watcher', type: 'system', id: 'w' },
    });
    const collection = await documents.open(walletsProjection);
    const created = new Date(clock.now()).toISOString();
    const body = { merchant_id: merchantId, mode, network_id: network, status: 'verified', address, created };
    await collection.put({ id, version: 3, body });
  }

  async bookkeeper(changes: { readonly chainBalances?: ChainBalances; readonly depositAddress?: string } = {}) {
    const { mode, network, chain, token, readModels, progress, commands, clock, log } = this.fixture;
    const frontiers = await this.fixture.frontiers();
    return new Bookkeeper({
      ...{ mode, network, chain, chainBalances: chain, readModels, progress, commands, clock, log },
      instance: INSTANCE,
      tokens: [token],
      depositAddress: null,
      scannedUntil: () => frontiers.blocksUntil(mode, network),
      isReadBelow: block => frontiers.isWholeBelow(mode, network, block),
      ...changes,
    });
  }

  /** A transfer in the token of the network. */
  transfer(txHash: string, valueBaseUnits: bigint, changes: Partial<ScriptedTransfer> = {}): ScriptedTransfer {
    return { ...this.fixture.transfer(txHash, valueBaseUnits), ...changes };
  }

  /** Blocks pass, and the watcher looks at them. */
  async pass(blocks: number): Promise<void> {
    this.fixture.mineEmpty(blocks);
    await this.watching?.tick();
    await this.watching?.retrySetAside();
  }

  async mine(...transfers: readonly ScriptedTransfer[]): Promise<void> {
    this.chain.mine(...transfers);
    this.fixture.clock.timeMs += 1_000;
    await this.pass(DEEP);
  }

  /** The chain comes to the next day, and the end of this one becomes final. */
  async endDay(): Promise<string> {
    const head = await this.chain.head();
    const day = dayOf(head.timeMs);
    const restMs = startOfDay(day) + DAY_MS - head.timeMs;
    this.chain.skipTime(restMs);
    this.fixture.clock.timeMs += restMs;
    await this.pass(DEEP);
    await this.pass(DEEP);
    return day;
  }

  async keep(): Promise<void> {
    for (let rounds = 0; await this.keeper?.round(); rounds++) if (rounds > MOST_ROUNDS) throw new Error('no end');
  }

  async history(day: string, wallet = WALLET) {
    const { writes, mode, token } = this.fixture;
    const id = balanceStreamId({ wallet_id: wallet, token_id: token.id, day });
    return (await writes.load(balances, mode, id)).history;
  }

  async reconciled(day: string, wallet = WALLET): Promise<DayReconciled['data'] | null> {
    const found = (await this.history(day, wallet)).find(({ type }) => type === 'DayReconciled');
    return found?.type === 'DayReconciled' ? found.data : null;
  }
}

/** Ends the day, and closes its books: those of a transfer that the chain does not have come last. */
export async function closedDay(stage: BooksStage): Promise<string> {
  const day = await stage.endDay();
  await stage.keep();
  await stage.pass(LONG_MISSED);
  await stage.keep();
  return day;
}
