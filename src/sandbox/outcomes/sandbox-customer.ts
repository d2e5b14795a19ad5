import { parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import { withoutClock, withCommand, type MerchantContext } from '../../kernel/command-context';
import type { LocalChain, LocalPayment, LocalTransfer, PaidTransfer } from '../../kernel/ports/local-chain';
import type { ReadModels } from '../../kernel/ports/read-models';
import { unpaidRemainder } from '../../modules/payment-intents/payment-intent.outcome';
import type { ClockGoal } from '../../modules/sandbox/commands/advance-sandbox-clock.command';
import type { SandboxOrder, SentTransfer } from '../../modules/sandbox/commands/send-sandbox-transfer.command';
import { isPlayable } from '../../modules/sandbox/playable-outcomes';
import { quotedPayment, type QuotedPayment } from '../../modules/sandbox/quoted-payment';
import { unmatchedTransfersReadModel } from '../../modules/transfers/unmatched-transfers.read-model';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { parseDecimal } from '../../vocabulary/money';
import { NETWORKS, type NetworkId } from '../../vocabulary/networks';
import { TOKENS } from '../../vocabulary/tokens';
import { MerchantTurns } from './merchant-turns';
import { sentBaseUnits } from './sent-amount';

const POLL_MS = 50;
/** A call waits so long for the watcher's answer to a transfer. */
const LONGEST_WAIT_MS = 10 * SECOND_MS;
/** A played transaction makes one transfer of the approved token. */
const TRANSFERS_OF_A_PLAY = 1;

/** Time as the merchants of test mode steer it. */
type SandboxTime = {
  readonly advance: (goal: ClockGoal, context: MerchantContext) => Promise<unknown>;
  /** Mines a block on each of these local chains; false where a watcher does not reach the block in time. */
  readonly passBlock: (networks: readonly NetworkId[]) => Promise<boolean>;
};

type SandboxCustomerParts = {
  readonly readModels: ReadModels;
  readonly chain: LocalChain;
  readonly time: SandboxTime;
  readonly clock: Clock;
  /** Says in the merchant's name that the transaction pays the payment. */
  readonly nameTransaction: (paymentIntent: string, txHash: string, context: MerchantContext) => Promise<void>;
};

type Play = {
  readonly order: SandboxOrder;
  readonly payment: QuotedPayment;
  readonly baseUnits: bigint;
  readonly context: MerchantContext;
  /** The transfer that an earlier try has paid: its process died before it could say so. */
  readonly before: PaidTransfer | null;
};

/** Plays the customers of payments on one local chain. */
export class SandboxCustomer {
  /** One play runs after another: a reorganisation must not meet another play's blocks. */
  private readonly turns = new MerchantTurns();

  constructor(private readonly parts: SandboxCustomerParts) {}

  /**
   * `payment` is the order's, as it was read. Throws Refusal invalid_state_transition. Throws Refusal rate_limit while
   * too many of the merchant's transfers wait. Also throws the Refusal that the amount meets.
   */
  async send(order: SandboxOrder, payment: QuotedPayment, context: MerchantContext): Promise<SentTransfer> {
    const { token_id: tokenId, network_id: networkId } = payment.quote;
    const before = await this.parts.chain.paid(context.commandId);
    const baseUnits = before?.baseUnits ?? wantedBaseUnits(order, payment);
    // The plays before this one may advance the clock that the request has read.
    const later = withoutClock(context);
    const { txHash } = await this.turns.take(context.merchantId, async () => {
      const asItIsNow = await this.quotedPayment(order.paymentIntent, context);
      return this.play({ order, payment: asItIsNow, baseUnits, context: later, before });
    });
    return { txHash, networkId, tokenId, baseUnits };
  }

  private async play(play: Play): Promise<LocalTransfer> {
    const { outcome } = play.order;
    switch (outcome) {
      case 'exact':
        return this.paid(play);
      case 'wrong_token':
        return this.paid(play, true);
      case 'late':
        await this.expire(play);
        return this.paid(play);
      case 'short':
      case 'over':
        return play.order.namesTransaction ? this.named(play) : this.unnamed(play);
      case 'reorged':
      case 'reverted':
        return this.failed(play, outcome);
    }
  }

  private async paid(play: Play, lookalike = false): Promise<LocalTransfer> {
    const transfer = await this.pay(play, { lookalike });
    await this.letPass(play, play.payment.quote.required_confirmations);
    return transfer;
  }

  /**
   * The transfer's amount is nobody's, so the payer says which payment it was meant for. The payer does so first: the
   * payment may take the transfer by inference as soon as it is seen.
   */
  private async named(play: Play): Promise<LocalTransfer> {
    const { order, payment, context, before } = play;
    const name = (txHash: string) =>
      this.parts.nameTransaction(order.paymentIntent, txHash, withCommand(context, 'claim'));
    const transfer = await this.pay(play, { onSigned: name });
    // An earlier try may have died after it had signed, and before it had named anything.
    if (before !== null) await name(transfer.txHash).catch(exceptForItsOwn);
    await this.parts.time.passBlock([payment.quote.network_id]);
    await this.until(play, ({ transfers }) => transfers.some(row => row.tx_hash === transfer.txHash));
    await this.letPass(play, payment.quote.required_confirmations);
    return transfer;
  }

  /** The transfer has no naming: a payment takes the transfer by itself, or the transfer waits in the queue. */
  private async unnamed(play: Play): Promise<LocalTransfer> {
    const { network_id: network, required_confirmations: confirmations } = play.payment.quote;
    const transfer = await this.pay(play);
    await this.parts.time.passBlock([network]);
    await this.until(
      play,
      async ({ transfers }) =>
        transfers.some(row => row.tx_hash === transfer.txHash) || (await this.isUnmatched(network, transfer)),
    );
    await this.letPass(play, confirmations);
    return transfer;
  }

  private async isUnmatched(network: NetworkId, { txHash }: LocalTransfer): Promise<boolean> {
    const rows = await this.parts.readModels.list(unmatchedTransfersReadModel, {
      index: 'by_transaction',
      equals: { mode: 'test', network_id: network, tx_hash: txHash },
      limit: TRANSFERS_OF_A_PLAY,
    });
    return rows.some(({ body }) => body.open);
  }

  /** The transfer is seen first, and then gone, or standing in another block as a failed one. */
  private async failed(play: Play, outcome: 'reorged' | 'reverted'): Promise<LocalTransfer> {
    const { payment, before } = play;
    const { network_id: network, required_confirmations: confirmations } = payment.quote;
    if (!isPlayable(outcome, payment.status) && before === null)
      throw refuse('invalid_state_transition', { param: 'outcome' });
    const transfer = await this.pay(play);
    const isSeen = await this.until(play, ({ transfers }) => transfers.some(row => row.tx_hash === transfer.txHash));
    if (!isSeen)
      throw refuse('provider_unavailable', { message: 'The watcher of the chain did not see the transfer.' });
    await this.parts.chain.takeBack([outcome === 'reorged' ? transfer.txHash : transfer.funding]);
    // The watcher counts the time to come back from the block at which it misses the transfer.
    await this.parts.time.passBlock([network]);
    await this.letPass(play, outcome === 'reorged' ? NETWORKS[network].reinclusionBlocks : confirmations);
    return transfer;
  }

  private pay(
    { payment, baseUnits, context }: Play,
    more: Pick<LocalPayment, 'lookalike' | 'onSigned'> = {},
  ): Promise<LocalTransfer> {
    const { token_id: tokenId, address: to } = payment.quote;
    return this.parts.chain.pay({ tokenId, to, baseUnits, name: context.commandId, ...more });
  }

  /**
   * Mines blocks, and waits until the watcher has nothing more to follow of the payment. A payment that is held, or
   * whose payer is not screened yet, goes on by itself.
   */
  private async letPass(play: Play, blocks: number): Promise<void> {
    await this.parts.chain.mine(blocks);
    await this.parts.time.passBlock([play.payment.quote.network_id]);
    await this.until(play, payment => !payment.followed);
  }

  /** Moves the clock to a second past the end of the quote. */
  private async expire({ payment, context, before }: Play): Promise<void> {
    if (payment.status === 'expired' || before !== null) return;
    if (!isPlayable('late', payment.status)) throw refuse('invalid_state_transition', { param: 'outcome' });
    const goal = { type: 'set', nowMs: parseIsoTime(payment.quote.quote_expires_at) + SECOND_MS } as const;
    await this.parts.time.advance(goal, withCommand(context, 'clock'));
  }

  /** False where the payment does not come to that in time. */
  private async until(
    { order, context }: Play,
    isSo: (payment: QuotedPayment) => boolean | Promise<boolean>,
  ): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += POLL_MS) {
      if (await isSo(await this.quotedPayment(order.paymentIntent, context))) return true;
      await this.parts.clock.wait(POLL_MS);
    }
    return false;
  }

  private quotedPayment(id: string, context: MerchantContext): Promise<QuotedPayment> {
    return quotedPayment(this.parts.readModels, id, context);
  }
}

/** The payment has the transfer already. */
function exceptForItsOwn(error: unknown): void {
  if (!isRefusal(error, 'duplicate_transaction')) throw error;
}

function wantedBaseUnits({ outcome, tokenAmount }: SandboxOrder, payment: QuotedPayment): bigint {
  const token = TOKENS[payment.quote.token_id];
  const wanted = tokenAmount === null ? null : parseDecimal(tokenAmount, token.decimals);
  return sentBaseUnits(token, outcome, dueBaseUnits(payment), wanted);
}

/** The amount that the payment asks for now: where it is underpaid, the remainder. */
function dueBaseUnits({ state, quote }: QuotedPayment): bigint {
  return BigInt((unpaidRemainder(state) ?? quote).due_base_units);
}
