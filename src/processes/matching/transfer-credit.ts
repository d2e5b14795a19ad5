import type { Clock } from '../../kernel/clock';
import type { ErrorCode } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { Log } from '../../kernel/ports/log';
import type { Occasion, Read, SystemCommands, SystemPlanned } from '../../kernel/system-commands';
import { Tally } from '../../kernel/tally';
import type { Loaded } from '../../kernel/loaded';
import type { PaymentIntentCommand } from '../../modules/payment-intents/payment-intent.commands';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type {
  FailureReason,
  PaymentIntentEvent,
  SightedTransfer,
} from '../../modules/payment-intents/payment-intent.events';
import { allows } from '../../modules/payment-intents/payment-intent.permit';
import type { LedgerTransfer, PaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { creditOf, takesNoFurther } from '../../modules/payment-intents/payment-intent.transfers';
import {
  transferId,
  transfers,
  transferStreamId,
  type TransferCommand,
} from '../../modules/transfers/transfer.decider';
import type { TransferEvent, TransferKey } from '../../modules/transfers/transfer.events';
import type { KnownTransfer, Transfer } from '../../modules/transfers/transfer.state';

/** `none`: no claim stands on the transfer, so there is nothing to credit. */
type CreditOutcome = 'credited' | 'refused' | 'none';

/**
 * `written`: the transfer's stream as the caller has just left it. `cause`: its newest event, unless the caller names
 * another.
 */
type CreditAsked = Partial<Pick<Occasion, 'cause' | 'clock'>> & { readonly written?: Loaded<Transfer, TransferEvent> };

/** A transfer as its claim has it. */
type ClaimedTransfer = SightedTransfer & { readonly isInferred: boolean };

/** The most looks at a transfer that moves as it is credited; the next sighting goes on from there. */
const MOST_LOOKS = 3;

/**
 * The second half of every attribution: gives a claimed or resolved transfer to its payment, or records that it could
 * not take it.
 */
export class TransferCredit {
  private readonly commands: SystemCommands;
  private readonly refused: Tally;

  constructor(commands: SystemCommands, clock: Clock, log: Log) {
    this.commands = commands.of('matching');
    this.refused = new Tally(clock, log, 'credits refused: the transfers are counted for nobody');
  }

  /**
   * Safe to call at any time and any number of times, because a finished credit is found finished. A transfer may move
   * while it is credited. The credit may then have written the transfer's old place over a newer one that another
   * process knew. So such a transfer is looked at once more.
   */
  async finish(mode: Mode, key: TransferKey, { written, cause, clock }: CreditAsked = {}): Promise<CreditOutcome> {
    const read = () => this.commands.read(transfers, mode, transferStreamId(key));
    for (let look = 1; ; look++) {
      const { state: claimed, revision, history } = look === 1 && written ? written : await read();
      if (claimed.status === 'none' || claimed.claim === null || !isClaimed(claimed)) return 'none';
      const occasion = { mode, cause: cause ?? history.at(-1) ?? null, clock };
      const refusal = await this.credit(occasion, claimed.claim, sighted(key, claimed));
      if (refusal !== null) {
        const isEnded = await this.endClaim(occasion, key);
        if (isEnded) this.refused.add({ transfer: key, payment_intent: claimed.claim, refusal });
        if (isEnded || look >= MOST_LOOKS) return isEnded ? 'refused' : 'none';
        continue;
      }
      const { state, revision: newest } = await read();
      const isOthers = state.status === 'none' || state.claim !== claimed.claim;
      if (isOthers) await this.withdraw(occasion, claimed.claim, sighted(key, claimed));
      const isDone = !isOthers && (newest === revision || !isClaimed(state));
      if (isDone || look >= MOST_LOOKS) return 'credited';
    }
  }

  /** Null when the payment has the transfer; the refusal when the payment cannot take it any more. */
  private async credit(
    occasion: Occasion,
    paymentIntent: string,
    transfer: ClaimedTransfer,
  ): Promise<ErrorCode | null> {
    const { state } = await this.commands.execute(
      paymentIntents,
      paymentIntent,
      ({ state: payment }) => creditFor(payment, transfer),
      occasion,
    );
    const isAway = isTurnedAway(state, transfer);
    return refusalOf(isAway ? await this.dropMoved(occasion, paymentIntent, transfer) : state, transfer);
  }

  /**
   * Ends the claim where its payment has not got the transfer, and cannot take it. The payment is read after the claim,
   * in each try. A commitment that came between the two is a newer event of the transfer, and so a conflict. In the
   * other order the payment could count a transfer that the queue gives to another payment.
   */
  private async endClaim(occasion: Occasion, key: TransferKey): Promise<boolean> {
    const { events } = await this.commands.execute(
      transfers,
      transferStreamId(key),
      ({ state }, payment: Read<PaymentIntent, PaymentIntentEvent> | null) => endOfRefused(key, state, payment),
      {
        ...occasion,
        find: async ({ state }) => {
          const claim = state.status === 'none' ? null : state.claim;
          return claim === null ? null : this.commands.read(paymentIntents, occasion.mode, claim);
        },
      },
    );
    return events.length > 0;
  }

  /** A payment that takes no more transfers lets go of a transfer that has left its block. */
  private async dropMoved(occasion: Occasion, paymentIntent: string, moved: SightedTransfer): Promise<PaymentIntent> {
    const { state: left } = await this.commands.execute(
      paymentIntents,
      paymentIntent,
      ({ state }) => {
        const held = isTurnedAway(state, moved) ? transferOf(state, moved.transfer_id) : null;
        if (held === null) return null;
        const { transfer_id: transferId, block_hash: blockHash } = held;
        const command = { type: 'drop_transfer', transferId, blockHash, reason: 'reorged_out' } as const;
        return { command, actor: 'watcher' };
      },
      occasion,
    );
    return left;
  }

  /**
   * The claim ended as its transfer was credited. The credit ends too, unless the payment knows of another block since,
   * or counts the transfer.
   */
  private async withdraw(occasion: Occasion, paymentIntent: string, transfer: SightedTransfer): Promise<void> {
    await this.commands.execute(
      paymentIntents,
      paymentIntent,
      ({ state }) => withdrawalOf(state, transfer, 'reorged_out'),
      occasion,
    );
  }
}

function creditFor(state: PaymentIntent, { isInferred, ...transfer }: ClaimedTransfer) {
  return creditOf(state, transfer, isInferred);
}

/** Null where the payment has the transfer, or can take it. */
function refusalOf(state: PaymentIntent, transfer: ClaimedTransfer): ErrorCode | null {
  if (creditFor(state, transfer) !== null) return null;
  // A transfer that the payment has already is its own, whatever it refuses now: in the queue it could be counted
  // twice.
  if (transferOf(state, transfer.transfer_id) !== null) return null;
  return state.status === 'none' ? 'payment_not_found' : 'invalid_state_transition';
}

function endOfRefused(
  key: TransferKey,
  state: Transfer,
  payment: Read<PaymentIntent, PaymentIntentEvent> | null,
): SystemPlanned<TransferCommand> | null {
  if (state.status === 'none' || state.claim === null || payment === null || !isClaimed(state)) return null;
  const refusal = refusalOf(payment.state, sighted(key, state));
  if (refusal === null) return null;
  const end = { paymentIntent: state.claim, isDropped: true } as const;
  const command: TransferCommand =
    state.status === 'resolved' ? { type: 'fail_attribution', refusal, ...end } : { type: 'unmatch', ...end };
  return { command, actor: 'matcher', merchantId: payment.owner };
}

/**
 * Takes back a transfer that was never the payment's to count. Null where the payment can lose nothing, or counts it in
 * a decision.
 */
export function withdrawalOf(
  state: PaymentIntent,
  { transfer_id: transferId, block_hash: blockHash }: Pick<SightedTransfer, 'transfer_id' | 'block_hash'>,
  reason: FailureReason,
): SystemPlanned<PaymentIntentCommand> | null {
  if (!allows(state, 'drop_transfer')) return null;
  return { command: { type: 'withdraw_transfer', transferId, blockHash, reason }, actor: 'watcher' };
}

/** True where the payment takes no more transfers, and has not got this one at its place. */
function isTurnedAway(state: PaymentIntent, { transfer_id: id, block_hash: hash }: SightedTransfer): boolean {
  return takesNoFurther(state) && isOpen(state) && transferOf(state, id)?.block_hash !== hash;
}

/** Whether the payment would take a transfer if it had fewer. */
function isOpen(state: PaymentIntent): boolean {
  return allows(state, 'see_transfer');
}

/** Null where the payment does not have the transfer, or no longer has it. */
export function transferOf(state: PaymentIntent, transferId: string): LedgerTransfer | null {
  if (state.status === 'none' || state.quote === null) return null;
  return state.ledger.transfers[transferId] ?? null;
}

function isClaimed({ status }: Transfer): boolean {
  return status === 'claimed' || status === 'resolved';
}

function sighted(key: TransferKey, { seen, evidence }: KnownTransfer): ClaimedTransfer {
  const { token_id: _token, to: _to, ...facts } = seen;
  const isInferred = evidence !== null;
  return { transfer_id: transferId(key), tx_hash: key.txHash, ordinal: key.ordinal, ...facts, isInferred };
}
