import type { Clock } from '../kernel/clock';
import type { ErrorCode } from '../vocabulary/errors';
import type { Mode } from '../vocabulary/modes';
import { outageOf } from '../kernel/outage';
import type { Chain } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { SystemCommands } from '../kernel/system-commands';
import type { NetworkId } from '../vocabulary/networks';
import type { PaymentIntentCommand } from '../modules/payment-intents/payment-intent.commands';
import { claimRefusal } from '../modules/payment-intents/payment-intent.claimable';
import { paymentIntents } from '../modules/payment-intents/payment-intent.decider';
import type { FailureReason } from '../modules/payment-intents/payment-intent.events';
import { allows } from '../modules/payment-intents/payment-intent.permit';
import type {
  LedgerTransfer,
  PaymentIntent,
  QuotedPaymentIntent,
} from '../modules/payment-intents/payment-intent.state';
import { transfers, transferStreamId, type TransferCommand } from '../modules/transfers/transfer.decider';
import type { Transfer } from '../modules/transfers/transfer.state';
import type { Holder, TransferClaims } from '../processes/matching/transfer-claims';
import type { ChainView } from './chain-view';
import { TransferChecks } from './transfer-checks';

export type PaymentTransfersParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly chain: Chain;
  readonly commands: SystemCommands;
  readonly claims: TransferClaims;
  readonly clock: Clock;
  readonly log: Log;
};

type FollowingCommand = Extract<
  PaymentIntentCommand,
  { readonly type: 'see_confirmation' | 'reach_depth' | 'drop_transfer' | 'lose_settled_transfer' }
>;

export type Followed = { readonly id: string; readonly merchantId: string };

/** A payment's transfers held against the chain, and the consequences when one is gone. */
export class PaymentTransfers {
  readonly checks: TransferChecks;
  private readonly commands: SystemCommands;
  private outage: { readonly error: unknown; readonly payments: number } | null = null;

  constructor(private readonly parts: PaymentTransfersParts) {
    this.checks = new TransferChecks(parts.mode, parts.network, parts.chain);
    this.commands = parts.commands.of('chain_watch');
  }

  /** Null for a payment without a quote. */
  async load(id: string): Promise<QuotedPaymentIntent | null> {
    const { state } = await this.commands.read(paymentIntents, this.parts.mode, id);
    return quoted(state);
  }

  /**
   * True where the transfer stands in its block. A transfer that is gone for good is taken off the payment. A transfer
   * that stands elsewhere is observed there.
   */
  async stands(
    payment: Followed,
    state: QuotedPaymentIntent,
    transfer: LedgerTransfer,
    view: ChainView,
  ): Promise<boolean> {
    const standing = await this.checks.standingOf(state.quote, transfer, view);
    if (standing === 'standing') return true;
    if (standing === 'elsewhere') await this.parts.claims.bringInStep(this.holder(payment), transfer);
    else if (standing !== 'missing') await this.drop(payment, state, transfer, standing);
    return false;
  }

  /** True where enough providers agree that every transfer that counts is in its block still. */
  async allStand(payment: Followed, state: QuotedPaymentIntent, view: ChainView): Promise<boolean> {
    for (const transfer of Object.values(state.ledger.transfers).filter(({ final }) => final)) {
      if ((await view.agreedHash(transfer.block_number)) === transfer.block_hash) continue;
      await this.stands(payment, state, transfer, view);
      return false;
    }
    return true;
  }

  /** True once the claim is committed for the transfer that the payment is about to count. */
  commit(payment: Followed, transfer: LedgerTransfer): Promise<boolean> {
    return this.parts.claims.commit(this.holder(payment), transfer);
  }

  /**
   * First the credit ends, then the claim: a re-inclusion after this is matched anew. A process that dies between the
   * two leaves a claim that stands, and the payment's event. The group `matching` ends the claim by that event. In the
   * other order the process would leave a credit of a transfer that another payment may have by then.
   */
  async drop(
    payment: Followed,
    state: QuotedPaymentIntent,
    transfer: LedgerTransfer,
    reason: FailureReason,
  ): Promise<void> {
    const { log } = this.parts;
    const { transfer_id: transferId, tx_hash: txHash, block_hash: blockHash } = transfer;
    const isSettled = transfer.final && allows(state, 'lose_settled_transfer');
    const facts = { payment_intent: payment.id, tx_hash: txHash, reason };
    if (isSettled) log.error(facts, 'a settled payment has lost a transfer');
    else log.warn(facts, 'transfer dropped');
    const command = isSettled
      ? ({ type: 'lose_settled_transfer', transferId, blockHash } as const)
      : ({ type: 'drop_transfer', transferId, blockHash, reason } as const);
    if (await this.execute(payment, command)) await this.parts.claims.letGo(this.holder(payment), transfer, reason);
  }

  /**
   * The transfer became final when the payment took no more. The transfer goes to the unmatched queue, with the payment
   * as a candidate, and off the payment's own list. A committed claim ends only after that.
   */
  async giveUp(payment: Followed, state: QuotedPaymentIntent, transfer: LedgerTransfer): Promise<void> {
    const { mode, network } = this.parts;
    const { transfer_id: transferId, tx_hash: txHash, ordinal, block_hash: blockHash } = transfer;
    const streamId = transferStreamId({ network, txHash, ordinal });
    const refusal = claimRefusal(state) ?? 'invalid_state_transition';
    const { merchantId } = payment;
    await this.commands.execute(
      transfers,
      streamId,
      ({ state: seen }) => ({ command: surplusEnd(seen, payment.id, refusal), actor: 'watcher', merchantId }),
      { mode, cause: null },
    );
    const isDropped = await this.execute(payment, { type: 'drop_transfer', transferId, blockHash, reason: 'surplus' });
    if (isDropped) await this.parts.claims.letGo(this.holder(payment), transfer, 'surplus');
  }

  /** False where the payment has moved on, and has no such edge: the next tick starts from its new state. */
  async execute(payment: Followed, command: FollowingCommand): Promise<boolean> {
    return (await this.decide(payment, command)).isDone;
  }

  /** As `execute`, with the payment as the command left it. */
  async decide(
    payment: Followed,
    command: FollowingCommand,
  ): Promise<{ readonly isDone: boolean; readonly state: PaymentIntent }> {
    const { state, events } = await this.commands.execute(
      paymentIntents,
      payment.id,
      ({ state: found }) => (allows(found, command.type) ? { command, actor: 'watcher' } : null),
      { mode: this.parts.mode, cause: null },
    );
    return { isDone: events.length > 0 || allows(state, command.type), state };
  }

  /** One payment's trouble must not hold up the others; the next tick meets it again. */
  async safely(payment: Followed, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      const { network, log } = this.parts;
      if (outageOf(error) === null)
        log.error({ payment_intent: payment.id, network, err: error }, 'payment could not be followed');
      else this.outage = { error: this.outage?.error ?? error, payments: (this.outage?.payments ?? 0) + 1 };
      return false;
    }
  }

  /** One line for all payments that met an outage since the line before. */
  tellOutage(): void {
    const { mode, network, log } = this.parts;
    if (this.outage === null) return;
    const { error, payments } = this.outage;
    log.warn(
      { mode, network, payments, err: error },
      'payments met an outage: they are followed again at the next tick',
    );
    this.outage = null;
  }

  private holder({ id, merchantId }: Followed): Holder {
    const { mode, network } = this.parts;
    return { mode, network, id, merchantId };
  }
}

export function quoted(state: PaymentIntent): QuotedPaymentIntent | null {
  return state.status === 'none' || state.quote === null ? null : state;
}

/**
 * The payment has the transfer still, so a committed claim does not end here. Where an administrator gave the transfer
 * to the payment, they are told so.
 */
function surplusEnd({ status }: Transfer, paymentIntent: string, refusal: ErrorCode): TransferCommand {
  const end = { paymentIntent, isDropped: false } as const;
  return status === 'resolved' ? { type: 'fail_attribution', refusal, ...end } : { type: 'unmatch', ...end };
}
