import { parseIsoTime } from '../../src/kernel/clock';
import { fold } from '../../src/kernel/decider';
import type { RecordedEvent } from '../../src/kernel/event';
import type { Mode } from '../../src/vocabulary/modes';
import type { Token } from '../../src/vocabulary/tokens';
import type { NetworkId } from '../../src/vocabulary/networks';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import type { ChainLog, StandingLog } from './chain-view';
import { isOn } from './knobs';
import { Mempool } from './mempool';
import type { ChainOutside, Outside } from './outside';
import type { Prng } from './prng';
import { addressesOf, addressOn, sharedAddress, tokenOf } from './setting';

/** A payer's transfer, as the outside world knows it: one log of a transaction, wherever that stands. */
export type Payment = {
  readonly network: NetworkId;
  readonly txHash: string;
  readonly mark: number;
  /** The payment whose amount the payer meant. */
  readonly meant: string;
  readonly dueBaseUnits: bigint;
};

/** A log to one of the shops' addresses that stands on its chain; its payment is null where nobody meant to pay. */
export type Standing = StandingLog & { readonly network: NetworkId; readonly payment: Payment | null };

/** A payer's transfers for one payment: one or several. */
type Pieces = {
  readonly network: NetworkId;
  readonly to: string;
  readonly meant: string;
  readonly dueBaseUnits: bigint;
  readonly values: readonly bigint[];
  readonly contract?: string;
};

/** The names tell the habits of payers; most pay exactly. */
const HABITS = [
  'exact', 'exact', 'short', 'over', 'rounded', 'twice', 'half', 'hair', 'edge', 'forged', 'lookalike',
] as const; // prettier-ignore
export type Habit = (typeof HABITS)[number] | 'crumbled' | 'often' | 'masses';

const PAYERS = ['0x1000000000000000000000000000000000000001', '0x2000000000000000000000000000000000000002'];
const LOOKALIKE = '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA';
const STRANGER = '0x3000000000000000000000000000000000000003';
/** More transfers than pages, batches and caches are likely to hold by chance. */
const OFTEN = 34;
/** More transfers than a payment takes. */
const MASSES = 108;
const CROWD = 64;
const PADDED = 25;

export class Payers {
  readonly payments: Payment[] = [];
  readonly mempool: Mempool;
  private transactions = 0;

  constructor(
    private readonly outside: Outside,
    private readonly prng: Prng,
  ) {
    this.mempool = new Mempool(prng);
  }

  get mode(): Mode {
    return this.outside.setting.mode;
  }

  /** On any of the networks. */
  anyPayer(): string {
    return addressOn(this.prng.pick(this.outside.setting.networks), this.prng.pick(PAYERS));
  }

  async pay(meant: string, isExact: boolean, chosen?: Habit): Promise<void> {
    const pieces = await this.piecesOf(meant, chosen ?? (isExact ? 'exact' : this.prng.pick(HABITS)));
    if (!pieces) return;
    const isOne = pieces.values.length >= OFTEN || (isOn('batches') && this.prng.chance(50));
    if (isOne) this.send([pieces]);
    else for (const value of pieces.values) this.send([{ ...pieces, values: [value] }]);
  }

  /** One transaction pays several payments, as an exchange does. */
  async payTogether(meant: readonly string[]): Promise<void> {
    const all: Pieces[] = [];
    for (const each of meant) {
      const pieces = await this.piecesOf(each, this.prng.chance(60) ? 'exact' : this.prng.pick(HABITS));
      if (pieces) all.push(pieces);
    }
    this.send(all.filter(({ network }) => network === all[0]?.network));
  }

  /**
   * Dust to the shops' address, transfers of nothing, and logs that are no business of theirs: anybody can make them.
   */
  crowd(network: NetworkId): void {
    const token = tokenOf(network);
    const dust = 10n ** BigInt(token.decimals) / 100n;
    const logs = Array.from({ length: CROWD }, (_, index): ChainLog => {
      const value = index % 2 === 0 ? 0n : (dust * BigInt(1 + this.prng.below(99))) / 100n;
      const contract = token.contract[this.mode];
      return { ...this.foreignLog(network), contract, to: sharedAddress(network), valueBaseUnits: value };
    });
    const foreign = Array.from({ length: CROWD }, () => this.foreignLog(network));
    this.mempool.add(network, { txHash: this.nextHash(network), logs: [...foreign, ...logs], hasFailed: false });
  }

  /** Blocks since the newest that holds a transaction, itself included; null where the chain holds none. */
  blocksSinceLastPayment({ network, chain }: ChainOutside): number | null {
    const { now } = chain;
    const last = this.payments.findLast(payment => payment.network === network && now.blockOf(payment.txHash));
    const block = last && now.blockOf(last.txHash);
    return block ? chain.height - block.number + 1 : null;
  }

  /** All transfers that stand on a chain and went to the shops' addresses. */
  standing(): readonly Standing[] {
    const byMark = new Map(this.payments.map(payment => [payment.mark, payment]));
    return this.outside.chains.flatMap(({ network, chain }) =>
      chain.now.logsTo(addressesOf(network)).map(standing => {
        return { ...standing, network, payment: byMark.get(standing.log.mark ?? 0) ?? null };
      }),
    );
  }

  /**
   * The place of the payment's log in its transaction, and how many others there pay to the same address by the same
   * token.
   */
  placeOf(payment: Payment): { readonly ordinal: number; readonly siblings: number } {
    const logs = this.logsOf(payment);
    const { contract, to } = logs.find(({ mark }) => mark === payment.mark) ?? {};
    const fitting = logs.filter(log => log.contract === contract && log.to === to && log.valueBaseUnits > 0n);
    return { ordinal: logs.findIndex(({ mark }) => mark === payment.mark), siblings: fitting.length - 1 };
  }

  /** Whether the transfer moves the meant amount, within a wallet's rounding. */
  isExact(payment: Payment): boolean {
    const token = tokenOf(payment.network);
    const log = this.logsOf(payment).find(({ mark }) => mark === payment.mark);
    const off = (log?.valueBaseUnits ?? 0n) - payment.dueBaseUnits;
    const tolerance = token.attributionToleranceBaseUnits;
    return log?.contract === token.contract[this.mode] && off <= tolerance && -off <= tolerance;
  }

  async state(paymentIntent: string): Promise<PaymentIntent> {
    return fold(paymentIntents, (await this.history(paymentIntent)) as never);
  }

  private logsOf({ network, txHash }: Payment): readonly ChainLog[] {
    const standing = this.outside.chainOn(network).chain.now.transaction(txHash);
    return (standing ?? this.mempool.transaction(txHash))?.logs ?? [];
  }

  private history(paymentIntent: string): Promise<readonly RecordedEvent[]> {
    const { disk, setting } = this.outside;
    return disk.log.readStream(`${setting.mode}.payment_intent-${paymentIntent}`);
  }

  /** Null for a payment whose amount was not shown to anybody. */
  private async piecesOf(meant: string, habit: Habit): Promise<Pieces | null> {
    const state = await this.state(meant);
    if (state.status === 'none' || state.quote === null) return null;
    const { network_id: network, address: to } = state.quote;
    const remainder = await this.remainder(meant);
    const dueBaseUnits = BigInt(remainder !== null && this.prng.chance(70) ? remainder : state.quote.due_base_units);
    // A remainder may be less than a payer is short by.
    const values = this.valuesOf(habit, dueBaseUnits, tokenOf(network)).map(value => (value < 0n ? 1n : value));
    return { network, to, meant, dueBaseUnits, values, ...(habit === 'lookalike' && { contract: LOOKALIKE }) };
  }

  private valuesOf(habit: Habit, due: bigint, token: Token): readonly bigint[] {
    const unit = token.stepBaseUnits;
    const tolerance = token.attributionToleranceBaseUnits;
    const crumb = unit * BigInt(2 + this.prng.below(900));
    switch (habit) {
      case 'exact':
        return [due + tolerance * BigInt(this.prng.below(3) - 1)];
      case 'short':
        return [due - unit * BigInt(7 + this.prng.below(300_000))];
      case 'over':
        return [due + unit * BigInt(7 + this.prng.below(300_000))];
      case 'rounded':
        return [due - (due % (unit * 10_000n))];
      case 'twice':
        return [due, due];
      case 'half':
        return [due / 2n, due - due / 2n];
      case 'hair':
        return [this.prng.chance(50) ? due - tolerance - 1n : due + tolerance + 1n];
      // Amounts at the edge of one percent of tolerance, to the last unit.
      case 'edge':
        return [(due * 99n + 99n) / 100n + BigInt(this.prng.below(3) - 1)];
      case 'forged':
        return [0n];
      case 'lookalike':
        return [due];
      // The amount without a crumb, and the crumb by itself.
      case 'crumbled':
        return [due - crumb, crumb];
      case 'often':
        return Array.from({ length: OFTEN }, () => due);
      case 'masses':
        return Array.from({ length: MASSES }, () => due);
    }
  }

  private async remainder(paymentIntent: string): Promise<string | null> {
    const asked = (await this.history(paymentIntent)).findLast(({ type }) => {
      return type === 'PaymentUnderpaid' || type === 'RemainderReserved';
    });
    // A payment may be short, and ask for nothing.
    const remainder = (asked?.type === 'PaymentUnderpaid' ? asked.data.remainder : asked?.data) as
      { due_base_units: string; reserved_until: string } | null | undefined;
    return remainder && parseIsoTime(remainder.reserved_until) > 0 ? remainder.due_base_units : null;
  }

  /** One transaction for all of them, which are on one network. */
  private send(all: readonly Pieces[]): void {
    const network = all[0]?.network;
    if (network === undefined) return;
    const txHash = this.nextHash(network);
    const from = addressOn(network, this.prng.pick(PAYERS));
    const logs: ChainLog[] = [];
    for (const { to, meant, dueBaseUnits, values, contract = tokenOf(network).contract[this.mode] } of all) {
      for (const valueBaseUnits of values) {
        const padding = isOn('batches') && this.prng.chance(PADDED) ? 1 + this.prng.below(3) : 0;
        for (let added = 0; added < padding; added++) logs.push(this.foreignLog(network));
        const mark = this.payments.length + 1;
        this.payments.push({ network, txHash, mark, meant, dueBaseUnits });
        logs.push({ mark, contract, from, to, valueBaseUnits });
      }
    }
    this.mempool.add(network, { txHash, logs, hasFailed: false });
  }

  /** A log of another contract, or to somebody else. */
  private foreignLog(network: NetworkId): ChainLog {
    const contract = this.prng.chance(50) ? LOOKALIKE : tokenOf(network).contract[this.mode];
    const to = addressOn(network, STRANGER);
    return { mark: null, contract, from: addressOn(network, STRANGER), to, valueBaseUnits: 5_000_000n };
  }

  private nextHash(network: NetworkId): string {
    this.transactions += 1;
    const number = String(this.transactions).padStart(64, '0');
    return network === 'tron' ? number : `0x${number}`;
  }
}
