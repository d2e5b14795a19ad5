import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { isRefusal } from '../../src/kernel/errors';
import { HOUR_MS, parseIsoTime } from '../../src/kernel/clock';
import { PaymentFixture } from '../support/payment-fixture';
import type { ScriptedTransfer } from '../support/scripted-chain';
import { FaultyStore, Killed } from './faulty-store';
import { byStream, wholeLog } from './history';
import type { Prng } from './prng';

/** A payer's transaction, as the outside world knows it. */
export type Payment = {
  readonly transfer: ScriptedTransfer;
  /** Whose amount the payer meant; null for a stranger's. */
  readonly meant: string | null;
  readonly isExact: boolean;
};

const PAYERS = ['0x1000000000000000000000000000000000000001', '0x2000000000000000000000000000000000000002'];
const MINUTE_BLOCKS = 60;
/** One less than the depth at which a transfer counts on this network. */
const DEEPEST_REORGANISATION = 11;
/** More than the depth and the window for coming back together. */
const HEALING_BLOCKS = 100;

/** One merchant's shop on a troubled chain, with a service that dies now and then. */
export class World {
  readonly store = new FaultyStore();
  readonly fixture = new PaymentFixture({ store: this.store });
  readonly payments: Payment[] = [];
  readonly intents: string[] = [];
  /** Sent, and in no block: after a reorganisation, or because no block was made yet. */
  private pending: ScriptedTransfer[] = [];
  private watcher: NetworkWatcher | null = null;

  constructor(private readonly prng: Prng) {}

  async start(): Promise<void> {
    this.fixture.mineEmpty(20);
    await this.watch();
  }

  async act(): Promise<void> {
    const actions: readonly (readonly [weight: number, act: () => Promise<void> | void])[] = [
      [14, () => this.openIntent()],
      [14, () => this.pay(true)],
      [4, () => this.pay(false)],
      [24, () => this.mine(1 + this.prng.below(4))],
      [20, () => this.watch()],
      [6, () => this.reorganise()],
      [4, () => this.screenOtherwise()],
      [3, () => void (this.fixture.chain.down = this.prng.chance(50))],
      [3, () => this.passTime()],
      [4, () => this.sweep()],
      [3, () => this.store.loseNextAnswer(this.prng.pick(['written', 'unwritten'] as const))],
      [4, () => this.store.killAfter({ afterAppends: this.prng.below(4), isWritten: this.prng.chance(50) })],
    ];
    let ticket = this.prng.below(actions.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, act] of actions) {
      ticket -= weight;
      if (ticket < 0) return this.surviving(act);
    }
  }

  /** Ends all trouble and lets the service catch up until nothing is left to do. */
  async heal(): Promise<void> {
    await this.restart();
    this.fixture.chain.down = false;
    this.fixture.verdicts.clear();
    this.mine(1);
    for (let round = 0; round < 4; round++) {
      this.mine(HEALING_BLOCKS);
      await this.watch();
      await this.sweep();
    }
  }

  private async surviving(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } catch (error) {
      const expected = error instanceof Killed || isRefusal(error) || this.store.isDead;
      if (!expected) throw error;
    }
    if (this.store.isDead) await this.restart();
  }

  /** A new process over what is on disk: the runner brings the read models up to the log, memory is gone. */
  private async restart(): Promise<void> {
    this.store.revive();
    this.watcher = null;
    for (const category of ['payment_intent', 'amount_slot']) {
      for (const [stream, history] of byStream(await wholeLog(this.store), category)) {
        await this.fixture.project(stream, history);
      }
    }
  }

  private async watch(): Promise<void> {
    this.watcher ??= await this.fixture.watcher();
    await this.watcher.tick();
  }

  private async sweep(): Promise<void> {
    const sweeper = this.fixture.sweeper();
    await sweeper.sweep('quote');
    await sweeper.sweep('reservation');
  }

  private async openIntent(): Promise<void> {
    const id = `pi_${String(this.intents.length + 1).padStart(26, '0')}`;
    this.intents.push(id);
    await this.fixture.quoted(id);
  }

  private async pay(isExact: boolean): Promise<void> {
    if (this.intents.length === 0) return;
    const meant = this.prng.pick(this.intents);
    const state = await this.fixture.payment(meant);
    if (state.status === 'none' || state.quote === null) return;
    const due = BigInt(state.quote.due_base_units);
    const offBy = isExact ? BigInt(this.prng.below(9)) - 4n : 5n + BigInt(this.prng.below(3_000_000));
    const txHash = `0x${String(this.payments.length + 1).padStart(64, '0')}`;
    const transfer = this.fixture.transfer(txHash, due + offBy, this.prng.pick(PAYERS));
    this.payments.push({ transfer, meant, isExact });
    this.pending.push(transfer);
  }

  private mine(blocks: number): void {
    this.fixture.chain.mine(...this.pending);
    this.pending = [];
    this.fixture.chain.mineEmpty(blocks - 1);
    this.fixture.clock.timeMs += blocks * 1_000;
  }

  /** Blocks short of the required depth go; what was in them comes back at once, later, or not at all. */
  private reorganise(): void {
    const depth = 1 + this.prng.below(DEEPEST_REORGANISATION);
    const gone = this.fixture.chain.transactionsOfLast(depth);
    const back = gone.filter(() => this.prng.chance(60));
    this.fixture.chain.reorganise(depth, back);
    this.pending.push(...gone.filter(tx => !back.includes(tx) && this.prng.chance(60)));
  }

  private screenOtherwise(): void {
    this.fixture.verdicts.set(this.prng.pick(PAYERS), this.prng.pick(['clear', 'silent', 'high_risk'] as const));
  }

  /** Minutes with their blocks, or hours in which the chain stands still. */
  private passTime(): void {
    if (this.prng.chance(60)) return this.mine((1 + this.prng.below(10)) * MINUTE_BLOCKS);
    const skippedMs = (1 + this.prng.below(30)) * HOUR_MS;
    this.fixture.chain.skipTime(skippedMs);
    this.fixture.clock.timeMs += skippedMs;
    this.mine(1);
  }

  /** Payments that stand on the chain, with the moment of their block. */
  onChain(): readonly (Payment & { readonly timeMs: number })[] {
    return this.payments.flatMap(payment => {
      const timeMs = this.fixture.chain.timeOf(payment.transfer.txHash);
      return timeMs === null ? [] : [{ ...payment, timeMs }];
    });
  }

  /** Whether the payment's block falls into the reservation that its amount met. */
  async wasInTime(payment: Payment & { readonly timeMs: number }): Promise<boolean> {
    if (payment.meant === null) return false;
    const state = await this.fixture.payment(payment.meant);
    return (
      state.status !== 'none' && state.quote !== null && payment.timeMs <= parseIsoTime(state.quote.quote_expires_at)
    );
  }
}
