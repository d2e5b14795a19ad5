import { fold } from '../../src/kernel/decider';
import type { Mode } from '../../src/vocabulary/modes';
import { isoTime } from '../../src/kernel/clock';
import { NETWORKS, type NetworkId } from '../../src/vocabulary/networks';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import { transferId, transfers, transferStreamId } from '../../src/modules/transfers/transfer.decider';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { PAYER, PaymentFixture } from '../support/payment-fixture';
import type { ScriptedTransfer } from '../support/scripted-chain';

export const STATES = [
  'detected', 'confirming', 'waiting', 'held', 'confirmed', 'overpaid', 'underpaid', 'expired', 'paid_late',
] as const; // prettier-ignore
export type OrphanState = (typeof STATES)[number];

export const ORPHANS = ['another_block', 'another_place', 'changed', 'gone', 'reverted', 'returns'] as const;
export type Orphan = (typeof ORPHANS)[number];

export const DEPTHS: readonly number[] = [...Array.from({ length: 64 }, (_, index) => index + 1), 176, 240, 241];

export type OrphanCase = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly state: OrphanState;
  readonly orphan: Orphan;
  readonly depth: number;
  /** Blocks between the head and the last final one: more than `depth` where the chain keeps its word. */
  readonly finalityLag: number;
  /** A large quote in live mode. */
  readonly isLarge: boolean;
};

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;
const SECOND_HASH = `0x${'22'.repeat(32)}`;
const STRANGER_HASH = `0x${'33'.repeat(32)}`;
const SECOND_PAYER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
/** More than any depth and any window for coming back. */
const HEALING_BLOCKS = 640;
const HEALING_STEP = 16;
const RETURNS_AFTER = 10;

/** One payment, one reorganisation: brought to its state, orphaned, and followed until nothing can change any more. */
export class OrphanRun {
  readonly fixture: PaymentFixture;
  readonly faults: string[] = [];
  private watcher!: NetworkWatcher;
  private judged = 0;
  private missingFrom: number | null = null;

  constructor(private readonly given: OrphanCase) {
    this.fixture = new PaymentFixture({ mode: given.mode, network: given.network });
    this.fixture.chain.finalityLag = given.finalityLag;
  }

  async run(): Promise<readonly string[]> {
    this.fixture.mineEmpty(40);
    this.watcher = await this.fixture.watcher();
    await this.tick();
    const transfer = await this.bringToState();
    const { status, quote } = await this.payment();
    const expected = STATUS_BEFORE[this.given.state];
    if (status !== expected || quote.finality_tier !== (this.given.isLarge ? 'large' : 'standard'))
      this.faults.push(`is ${status}, ${quote.finality_tier}, before anything happened`);
    await this.orphan(transfer);
    for (let mined = 0; mined < HEALING_BLOCKS; mined += HEALING_STEP) await this.mine(HEALING_STEP);
    await this.release();
    await this.mine(HEALING_STEP);
    await this.judgeEnd();
    return this.faults;
  }

  async payment(): Promise<QuotedPaymentIntent> {
    const state = await this.fixture.payment(PI);
    if (state.status === 'none' || state.quote === null) throw new Error('no quote');
    return state;
  }

  private get rule() {
    const { network, mode, isLarge } = this.given;
    return NETWORKS[network].finality[mode][isLarge ? 'large' : 'standard'];
  }

  private async tick(): Promise<void> {
    await this.watcher.tick();
    await this.judgeNews();
  }

  private async mine(count: number): Promise<void> {
    this.fixture.mineEmpty(count);
    await this.tick();
  }

  /** The transfer is in the lowest block that the reorganisation will take, or deeper where its state needs that. */
  private async bringToState(): Promise<ScriptedTransfer> {
    const { fixture, given } = this;
    const { chain } = fixture;
    const due = await fixture.quoted(PI, given.isLarge ? '1000000' : '2500');
    const late = given.state === 'expired' || given.state === 'paid_late';
    if (late) await this.expire();
    const isShort = given.state === 'underpaid';
    const transfer = fixture.transfer(HASH, isShort ? due / 2n : due);
    if (given.state === 'waiting') fixture.verdicts.set(PAYER, 'silent');
    if (given.state === 'held') fixture.verdicts.set(PAYER, 'high_risk');
    const second = fixture.transfer(SECOND_HASH, due, SECOND_PAYER);
    chain.mine(transfer, ...(given.state === 'overpaid' ? [second] : []));
    if (isShort) await this.attribute(transfer);
    await this.tick();
    const age = given.depth - 1;
    const final = this.rule.confirmations + given.finalityLag;
    const isPast = ['waiting', 'held', 'confirmed', 'overpaid', 'underpaid', 'paid_late'].includes(given.state);
    if (given.state === 'confirming') await this.mine(1);
    if (isPast) await this.mine(Math.max(age, Math.min(final, 241)));
    // The watcher is away while the rest is mined: the payment keeps its state, however deep it comes to lie.
    else fixture.mineEmpty(Math.max(0, age - (given.state === 'confirming' ? 1 : 0)));
    return transfer;
  }

  private async expire(): Promise<void> {
    this.fixture.chain.skipTime(16 * 60_000);
    this.fixture.clock.timeMs += 16 * 60_000;
    await this.mine(this.rule.confirmations + this.given.finalityLag);
    await this.fixture.sweeper().sweep('quote');
  }

  /** Records a merchant's attribution: a transfer of another amount counts for the payment. */
  private async attribute({ txHash, valueBaseUnits, from }: ScriptedTransfer): Promise<void> {
    const { fixture, given } = this;
    const block = fixture.chain.blockOf(txHash);
    if (!block) throw new Error('not mined');
    const key = { network: given.network, txHash, ordinal: 0 };
    const facts = {
      from,
      value_base_units: valueBaseUnits.toString(),
      block_number: block.number,
      block_hash: block.hash,
      block_time: isoTime(block.timeMs),
    };
    const seen = { ...facts, token_id: fixture.token.id, to: fixture.address };
    const context = () => ({ ...fixture.context(), actor: { role: 'watcher', type: 'system', id: 'test' } as const });
    await fixture.writes.execute(transfers, transferStreamId(key), { type: 'see', seen, claim: PI }, context());
    const transfer = { transfer_id: transferId(key), tx_hash: txHash, ordinal: 0, ...facts };
    await fixture.writes.execute(paymentIntents, PI, { type: 'see_transfer', transfer }, context());
  }

  private async orphan(transfer: ScriptedTransfer): Promise<void> {
    const { chain } = this.fixture;
    const { orphan, depth } = this.given;
    const taken = chain.transactionsOfLast(depth);
    const isTaken = taken.some(({ txHash }) => txHash === HASH);
    const others = taken.filter(({ txHash }) => txHash !== HASH);
    const stranger = this.fixture.transfer(STRANGER_HASH, 777_777n * 10n ** BigInt(this.fixture.token.decimals - 6));
    if (!isTaken) return chain.reorganise(depth, others);
    if (orphan === 'another_block') chain.reorganise(depth, [...others, transfer], Math.min(2, depth - 1));
    if (orphan === 'another_place') chain.reorganise(depth, [stranger, ...others, transfer]);
    if (orphan === 'changed')
      chain.reorganise(depth, [...others, { ...transfer, valueBaseUnits: transfer.valueBaseUnits / 3n }]);
    if (orphan === 'reverted') chain.reorganise(depth, [...others, { ...transfer, hasFailed: true }]);
    if (orphan === 'gone' || orphan === 'returns') chain.reorganise(depth, others);
    if (orphan === 'gone' || orphan === 'returns') this.missingFrom = chain.height;
    await this.tick();
    if (orphan !== 'returns') return;
    await this.mine(RETURNS_AFTER);
    chain.mine(transfer);
    await this.tick();
  }

  /** A payment that waited for a screening or a human is let go. */
  private async release(): Promise<void> {
    const { fixture, given } = this;
    fixture.verdicts.clear();
    fixture.clock.timeMs += 120_000;
    const state = await this.payment();
    if (given.state !== 'held' || state.ledger.hold?.status !== 'open' || state.status !== 'confirming')
      return this.tick();
    const context = { ...fixture.context(), actor: { role: 'compliance', type: 'user', id: 'usr_1' } as const };
    const release = { type: 'release_hold', reason: 'a namesake', proposedBy: 'usr_1', approvedBy: 'usr_2' } as const;
    await fixture.writes.execute(paymentIntents, PI, release, context);
    await this.tick();
    for (let mined = 0; mined < HEALING_BLOCKS; mined += HEALING_STEP) await this.mine(HEALING_STEP);
  }

  /**
   * At the moment at which a payment comes to an outcome, each transfer that counts for it stands in the block that it
   * names.
   */
  private async judgeNews(): Promise<void> {
    const events = await this.fixture.events(PI).catch(() => []);
    const news = events.slice(this.judged);
    this.judged = events.length;
    const { chain } = this.fixture;
    for (const { type } of news) {
      if (type === 'PaymentFailed' && this.missingFrom !== null) {
        const waited = chain.height - this.missingFrom;
        const { reinclusionBlocks } = NETWORKS[this.given.network];
        if (waited < reinclusionBlocks) this.faults.push(`failed ${waited} blocks after its transfer was gone`);
      }
      if (!['PaymentConfirmed', 'PaymentOverpaid', 'PaymentUnderpaid', 'RemainderCredited', 'PaidLate'].includes(type))
        continue;
      const { ledger } = fold(paymentIntents, events) as QuotedPaymentIntent;
      for (const counted of Object.values(ledger.transfers).filter(({ final }) => final)) {
        if (chain.blockOf(counted.tx_hash)?.hash !== counted.block_hash)
          this.faults.push(`${type} on a block that is not canonical`);
      }
    }
  }

  private async judgeEnd(): Promise<void> {
    const { fixture, given } = this;
    const state = await this.payment();
    const id = transferId({ network: given.network, txHash: HASH, ordinal: 0 });
    const known = state.ledger.transfers[id];
    const block = fixture.chain.blockOf(HASH);
    const stands = block !== null && known?.value_base_units === (await this.valueOnChain());
    const expected = stands ? END_WHERE_IT_STANDS[given.state] : END_WHERE_IT_IS_GONE[given.state];
    if (state.status !== expected) this.faults.push(`ends ${state.status}, not ${expected}`);
    if (stands && known.block_hash !== block.hash)
      this.faults.push('does not know the block that its transfer stands in');
    if (stands && !known.final) this.faults.push('holds a transfer that stands deep and does not count');
    if (!stands && known) this.faults.push('counts a transfer that is gone');
    const isExpectedToStand = given.orphan !== 'changed' && given.orphan !== 'gone' && given.orphan !== 'reverted';
    if (isExpectedToStand && !stands) this.faults.push('has not found the transfer that came back');
    const types = await fixture.eventTypes(PI);
    const wasSettled = given.state === 'confirmed' || given.state === 'overpaid';
    if (wasSettled && !stands && !types.includes('SettledTransferLost'))
      this.faults.push('lost a transfer and says nothing');
    const { state: transfer } = await fixture.writes.load(
      transfers,
      given.mode,
      transferStreamId({ network: given.network, txHash: HASH, ordinal: 0 }),
    );
    const claimed = transfer.status !== 'none' && transfer.claim === PI;
    if (claimed !== stands) this.faults.push(`the transfer is ${claimed ? '' : 'not '}claimed`);
    if (fixture.log.lines.some(({ message }) => message === 'payment could not be followed'))
      this.faults.push('could not be followed');
  }

  private async valueOnChain(): Promise<string | null> {
    const receipt = await this.fixture.chain.receipt(HASH);
    return receipt?.transfers[0]?.valueBaseUnits.toString() ?? null;
  }
}

const STATUS_BEFORE: Readonly<Record<OrphanState, string>> = {
  detected: 'detected',
  confirming: 'confirming',
  waiting: 'confirming',
  held: 'confirming',
  confirmed: 'confirmed',
  overpaid: 'overpaid',
  underpaid: 'underpaid',
  expired: 'expired',
  paid_late: 'paid_late',
};

const END_WHERE_IT_STANDS: Readonly<Record<OrphanState, string>> = {
  detected: 'confirmed',
  confirming: 'confirmed',
  waiting: 'confirmed',
  held: 'confirmed',
  confirmed: 'confirmed',
  overpaid: 'overpaid',
  underpaid: 'underpaid',
  expired: 'paid_late',
  paid_late: 'paid_late',
};

const END_WHERE_IT_IS_GONE: Readonly<Record<OrphanState, string>> = {
  detected: 'failed',
  confirming: 'failed',
  waiting: 'failed',
  held: 'failed',
  confirmed: 'confirmed',
  overpaid: 'overpaid',
  underpaid: 'underpaid',
  expired: 'expired',
  paid_late: 'paid_late',
};
