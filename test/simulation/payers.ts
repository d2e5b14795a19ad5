import { parseIsoTime } from '../../src/kernel/clock';
import { fold } from '../../src/kernel/decider';
import type { RecordedEvent } from '../../src/kernel/event';
import { TOKENS } from '../../src/kernel/tokens';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import type { ScriptedTransfer } from '../support/scripted-chain';
import type { ChainOutside, Outside } from './outside';
import type { Prng } from './prng';
import { SHARED_ADDRESS, TOKEN_OF } from './shops';

/** A payer's transaction, as the outside world knows it. */
export type Payment = {
  readonly network: 'base' | 'bnb';
  readonly transfer: ScriptedTransfer;
  /** Whose amount the payer meant. */
  readonly meant: string;
  readonly isExact: boolean;
};

/** The first three pay exactly; what the others send is told by their names. */
const HABITS = ['exact', 'exact', 'exact', 'short', 'over', 'rounded', 'twice', 'half', 'forged', 'lookalike'] as const;
const PAYERS = ['0x1000000000000000000000000000000000000001', '0x2000000000000000000000000000000000000002'];
const LOOKALIKE = '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA';

export class Payers {
  readonly payments: Payment[] = [];
  private pending: Payment[] = [];

  constructor(
    private readonly outside: Outside,
    private readonly prng: Prng,
  ) {}

  anyPayer(): string {
    return this.prng.pick(PAYERS);
  }

  async pay(meant: string, isExact: boolean): Promise<void> {
    const state = await this.state(meant);
    if (state.status === 'none' || state.quote === null) return;
    const network = state.quote.network_id as 'base' | 'bnb';
    const token = TOKENS[TOKEN_OF[network]];
    const remainder = await this.remainder(meant);
    const due = BigInt(remainder !== null && this.prng.chance(70) ? remainder : state.quote.due_base_units);
    const unit = token.stepBaseUnits;
    const noise = token.attributionToleranceBaseUnits * BigInt(this.prng.below(3) - 1);
    const habit = isExact ? 'exact' : this.prng.pick(HABITS);
    const send = (value: bigint, contract = token.contract.test): void => {
      const isMeant = contract === token.contract.test && value >= due - token.attributionToleranceBaseUnits;
      const exact = isMeant && value <= due + token.attributionToleranceBaseUnits;
      this.send(network, meant, value, contract, exact);
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

  /** The last blocks go; what was in them comes back at once, later, or not at all. */
  reorganise({ network, chain }: ChainOutside, depth: number): void {
    const gone = chain.transactionsOfLast(depth);
    const back = gone.filter(() => this.prng.chance(60));
    chain.reorganise(depth, back);
    const later = gone.filter(transfer => !back.includes(transfer) && this.prng.chance(60));
    const known = new Map(this.payments.map(payment => [payment.transfer.txHash, payment]));
    for (const { txHash } of later) {
      const payment = known.get(txHash);
      if (payment?.network === network) this.pending.push(payment);
    }
  }

  /** Payments of the approved token that stand on their chain, with the moment of their block. */
  standing(): readonly (Payment & { readonly timeMs: number })[] {
    return this.payments.flatMap(payment => {
      const { chain } = this.outside.chains.find(({ network }) => network === payment.network) as ChainOutside;
      const timeMs = chain.timeOf(payment.transfer.txHash);
      return timeMs === null ? [] : [{ ...payment, timeMs }];
    });
  }

  async state(paymentIntent: string): Promise<PaymentIntent> {
    return fold(paymentIntents, (await this.history(paymentIntent)) as never);
  }

  private history(paymentIntent: string): Promise<readonly RecordedEvent[]> {
    return this.outside.disk.log.readStream(`test.payment_intent-${paymentIntent}`);
  }

  private async remainder(paymentIntent: string): Promise<string | null> {
    const asked = (await this.history(paymentIntent)).findLast(({ type }) => {
      return type === 'PaymentUnderpaid' || type === 'RemainderReserved';
    });
    const remainder = (asked?.data.remainder ?? asked?.data) as
      { due_base_units: string; reserved_until: string } | undefined;
    return remainder && parseIsoTime(remainder.reserved_until) > 0 ? remainder.due_base_units : null;
  }

  private send(network: 'base' | 'bnb', meant: string, value: bigint, contract: string, isExact: boolean): void {
    const txHash = `0x${String(this.payments.length + 1).padStart(64, '0')}`;
    const transfer = { txHash, contract, from: this.prng.pick(PAYERS), to: SHARED_ADDRESS, valueBaseUnits: value };
    const payment = { network, transfer, meant, isExact };
    this.payments.push(payment);
    this.pending.push(payment);
  }
}
