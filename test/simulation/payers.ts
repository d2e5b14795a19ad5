import { parseIsoTime } from '../../src/kernel/clock';
import { fold } from '../../src/kernel/decider';
import type { Mode, RecordedEvent } from '../../src/kernel/event';
import type { BlockHeader } from '../../src/kernel/ports/chain';
import type { NetworkId } from '../../src/kernel/tokens';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import type { ScriptedTransfer } from '../support/scripted-chain';
import type { ChainOutside, Outside } from './outside';
import type { Prng } from './prng';
import { addressOn, sharedAddress, tokenOf } from './setting';

/** A payer's transaction, as the outside world knows it. */
export type Payment = {
  readonly network: NetworkId;
  /** As it was mined last: a reorganisation may bring it back with another value, or failed. */
  transfer: ScriptedTransfer;
  /** Whose amount the payer meant. */
  readonly meant: string;
  isExact: boolean;
};

/** One that stands on its chain. */
export type Standing = Payment & { readonly block: BlockHeader };

/** What the others send is told by their names; most pay exactly. */
const HABITS = [
  'exact',
  'exact',
  'short',
  'over',
  'rounded',
  'twice',
  'half',
  'hair',
  'edge',
  'forged',
  'lookalike',
] as const;
const PAYERS = ['0x1000000000000000000000000000000000000001', '0x2000000000000000000000000000000000000002'];
const LOOKALIKE = '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA';

/** Of one that is lost: it comes back with another value, or not at all. */
const LOST_FATES = [60, 99, 99] as const;

export class Payers {
  readonly payments: Payment[] = [];
  private pending: Payment[] = [];

  constructor(
    private readonly outside: Outside,
    private readonly prng: Prng,
  ) {}

  get mode(): Mode {
    return this.outside.setting.mode;
  }

  /** On any of the networks. */
  anyPayer(): string {
    return addressOn(this.prng.pick(this.outside.setting.networks), this.prng.pick(PAYERS));
  }

  async pay(meant: string, isExact: boolean, chosen?: (typeof HABITS)[number]): Promise<void> {
    const state = await this.state(meant);
    if (state.status === 'none' || state.quote === null) return;
    const network = state.quote.network_id;
    const token = tokenOf(network);
    const contract = token.contract[this.outside.setting.mode];
    const remainder = await this.remainder(meant);
    const due = BigInt(remainder !== null && this.prng.chance(70) ? remainder : state.quote.due_base_units);
    const unit = token.stepBaseUnits;
    const tolerance = token.attributionToleranceBaseUnits;
    const noise = tolerance * BigInt(this.prng.below(3) - 1);
    const habit = chosen ?? (isExact ? 'exact' : this.prng.pick(HABITS));
    const send = (value: bigint, by = contract): void => {
      const off = value - due;
      this.send(network, meant, value, by, by === contract && off >= -tolerance && off <= tolerance);
    };
    switch (habit) {
      case 'exact':
        return send(due + noise);
      case 'short':
        return send(due - unit * BigInt(7 + this.prng.below(300_000)));
      case 'over':
        return send(due + unit * BigInt(7 + this.prng.below(300_000)));
      case 'rounded':
        return send(due - (due % (unit * 10_000n)));
      case 'twice':
        send(due);
        return send(due);
      case 'half':
        send(due / 2n);
        return send(due - due / 2n);
      case 'hair':
        return send(this.prng.chance(50) ? due - tolerance - 1n : due + tolerance + 1n);
      // What one percent of tolerance lets pass, to the last unit.
      case 'edge':
        return send((due * 99n + 99n) / 100n + BigInt(this.prng.below(3) - 1));
      case 'forged':
        return send(0n);
      case 'lookalike':
        return send(due, LOOKALIKE);
    }
  }

  /** What waits is taken into the next block of its chain. */
  mineInto({ network, chain }: ChainOutside): void {
    const taken = this.pending.filter(payment => payment.network === network);
    this.pending = this.pending.filter(payment => payment.network !== network);
    chain.mine(...taken.map(({ transfer }) => transfer));
  }

  /** Blocks since the newest that holds a transaction, itself included; null where the chain holds none. */
  blocksSinceLastPayment({ network, chain }: ChainOutside): number | null {
    const last = this.payments.findLast(
      payment => payment.network === network && chain.blockOf(payment.transfer.txHash),
    );
    const block = last && chain.blockOf(last.transfer.txHash);
    return block ? chain.height - block.number + 1 : null;
  }

  /** The last blocks go; what was in them comes back at once, changed or not, or later, or not at all. */
  reorganise({ network, chain }: ChainOutside, depth: number, lost: Payment | null = null): void {
    const known = new Map(this.payments.map(payment => [payment.transfer.txHash, payment]));
    const back: ScriptedTransfer[] = [];
    for (const gone of chain.transactionsOfLast(depth)) {
      const payment = known.get(gone.txHash);
      if (!payment) continue;
      const fate = payment === lost ? this.prng.pick(LOST_FATES) : this.prng.below(100);
      if (fate < 60) back.push(gone);
      else if (fate < 68) back.push(this.changed(payment));
      else if (fate < 74) back.push(this.replaced(payment, { hasFailed: true }));
      else if (fate < 90 && payment.network === network) this.pending.push(payment);
    }
    chain.reorganise(depth, back, this.prng.below(Math.min(depth, 3)));
  }

  /** Payments that stand on their chain, with their block. */
  standing(): readonly Standing[] {
    return this.payments.flatMap(payment => {
      const block = this.outside.chainOn(payment.network).chain.blockOf(payment.transfer.txHash);
      return block === null ? [] : [{ ...payment, block }];
    });
  }

  async state(paymentIntent: string): Promise<PaymentIntent> {
    return fold(paymentIntents, (await this.history(paymentIntent)) as never);
  }

  private history(paymentIntent: string): Promise<readonly RecordedEvent[]> {
    const { disk, setting } = this.outside;
    return disk.log.readStream(`${setting.mode}.payment_intent-${paymentIntent}`);
  }

  private async remainder(paymentIntent: string): Promise<string | null> {
    const asked = (await this.history(paymentIntent)).findLast(({ type }) => {
      return type === 'PaymentUnderpaid' || type === 'RemainderReserved';
    });
    const remainder = (asked?.data.remainder ?? asked?.data) as
      { due_base_units: string; reserved_until: string } | undefined;
    return remainder && parseIsoTime(remainder.reserved_until) > 0 ? remainder.due_base_units : null;
  }

  /** Executed anew on another fork, a contract may pay another sum: by what wallets round away, or by half. */
  private changed(payment: Payment): ScriptedTransfer {
    const { valueBaseUnits: value } = payment.transfer;
    if (this.prng.chance(50)) return this.replaced(payment, { valueBaseUnits: value + 1n });
    payment.isExact = false;
    return this.replaced(payment, { valueBaseUnits: value / 2n });
  }

  private replaced(payment: Payment, changes: Partial<ScriptedTransfer>): ScriptedTransfer {
    payment.transfer = { ...payment.transfer, ...changes };
    return payment.transfer;
  }

  private send(network: NetworkId, meant: string, value: bigint, contract: string, isExact: boolean): void {
    const number = String(this.payments.length + 1).padStart(64, '0');
    const txHash = network === 'tron' ? number : `0x${number}`;
    const from = addressOn(network, this.prng.pick(PAYERS));
    const transfer = { txHash, contract, from, to: sharedAddress(network), valueBaseUnits: value };
    const payment = { network, transfer, meant, isExact };
    this.payments.push(payment);
    this.pending.push(payment);
  }
}
