import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DAY_MS, isoTime, parseIsoTime } from '../../kernel/clock';
import type { AccountContext, MerchantContext } from '../../kernel/command-context';
import type { RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { Loaded } from '../../kernel/loaded';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { ownerOf, unwritten, type WritePath } from '../../kernel/write-path';
import { AdjustFees, InvoiceFees, PayFeeInvoice, type Adjustment } from '../../modules/fees/fee-billing.command';
import { feeAccountId, feeAccountsReadModel } from '../../modules/fees/fee-accounts.read-model';
import { feeAccounts } from '../../modules/fees/fee-account.decider';
import type { FeeAdjusted, FeeInvoiced } from '../../modules/fees/fee-account.events';
import { feeInvoices, type FeeInvoice } from '../../modules/fees/fee-invoice.decider';
import { merchants } from '../../modules/merchants/merchant.decider';
import type { MerchantEvent } from '../../modules/merchants/merchant.events';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { refuse } from '../../vocabulary/errors';
import { commandId, isId } from '../../vocabulary/ids';
import type { IndexWait } from '../matching/index-wait';

/** The time from the day on which a fee invoice was due to the pause of live mode. */
export const PAUSE_DELAY_MS = 14 * DAY_MS;

type FeeBillingParts = {
  readonly writes: WritePath;
  readonly readModels: Pick<ReadModels, 'get'>;
  readonly index: Pick<IndexWait, 'reachHead'>;
  readonly secretBox: Pick<SecretBox, 'deriveKey'>;
};

/** Test mode is never invoiced. */
export type LiveContext = MerchantContext & { readonly universe: 'live' };

type LoadedMerchant = Loaded<ReturnType<typeof merchants.evolve>, MerchantEvent>;

export type IssuedFeeInvoice = {
  readonly id: string;
  readonly state: Exclude<FeeInvoice, { readonly status: 'none' }>;
};

/**
 * The operator's commands to a merchant's fee ledger. Each command records first and has its effects afterwards. The
 * group `consequences` finishes the effects where a process died in between.
 */
export class FeeBilling {
  constructor(private readonly parts: FeeBillingParts) {}

  /** Throws Refusal invalid_bps or merchant_not_found. The rate holds for fees that accrue from now on. */
  async setRate(bps: number, context: AccountContext): Promise<void> {
    await this.parts.writes.execute(merchants, context.merchantId, { type: 'set_fee_rate', bps }, context);
  }

  /**
   * Adds a row to the fee ledger of the context's mode. A command that is among the account's newest events adds none.
   * Throws Refusal merchant_not_found, payment_not_found, those of the account, or idempotency_key_reuse where the
   * command has added another row.
   */
  async adjust(adjustment: Adjustment, context: MerchantContext): Promise<FeeAdjusted['data']> {
    const { merchantId, universe } = context;
    const { paymentIntent } = adjustment;
    await this.merchant(merchantId);
    if (paymentIntent !== null) await this.assertPayment(paymentIntent, merchantId, universe);
    const command = { type: 'adjust', ...adjustment } as const;
    const { events } = await this.parts.writes.execute(feeAccounts, merchantId, command, context);
    const [event] = events;
    invariant(event?.type === 'FeeAdjusted', `the account of ${merchantId} was not adjusted`);
    if (!isOf(event.data, adjustment)) {
      const message = 'A row with other values was added under this id.';
      throw refuse('idempotency_key_reuse', { param: 'id', message });
    }
    return event.data;
  }

  /**
   * Asks the merchant for all that is outstanding in the currency. The sum of the accruals is read after the account
   * was, and from documents that hold the whole log. So the sum has every accrual that an earlier fee invoice covers.
   * The append at the revision that was read lets one of several commands have an accrual. Throws Refusal
   * merchant_not_found, nothing_outstanding or, while the documents are behind, provider_unavailable.
   */
  async invoice(currency: string, context: LiveContext): Promise<IssuedFeeInvoice> {
    const { writes, secretBox } = this.parts;
    const { merchantId } = context;
    const merchant = await this.merchant(merchantId);
    const idKey = await secretBox.deriveKey('ids');
    const feeInvoice = commandId('finv', context.startedAt, idKey, context.commandId);
    // The account's newest events may have the command's own no more.
    const former = await writes.load(feeInvoices, 'live', feeInvoice);
    if (former.state.status !== 'none') return { id: feeInvoice, state: former.state };
    const { events } = await writes.executePlan(
      feeAccounts,
      merchantId,
      (_, accruedMinorUnits: bigint) => ({
        command: { type: 'invoice', currency, feeInvoice, merchantId, accruedMinorUnits } as const,
        context,
      }),
      context,
      { find: () => this.accrued(merchantId, currency), readsFirst: true },
    );
    const [invoiced] = events;
    invariant(invoiced?.type === 'FeeInvoiced', `${feeInvoice} was not recorded`);
    return { id: feeInvoice, state: await this.issue(invoiced, context, merchant) };
  }

  /**
   * Records that the fee invoice was paid, and withdraws its pause. Throws Refusal resource_missing, parameter_invalid
   * or, where it was paid with another reference, invalid_state_transition.
   */
  async pay(feeInvoice: string, reference: string, context: LiveContext): Promise<IssuedFeeInvoice> {
    const command = { type: 'pay', reference } as const;
    const { state } = await this.parts.writes.execute(feeInvoices, feeInvoice, command, context);
    invariant(state.status === 'paid', `${feeInvoice} is not paid`);
    await this.withdrawPause(feeInvoice, context);
    return { id: feeInvoice, state };
  }

  /** The merchant of a fee invoice. Throws Refusal resource_missing. */
  async ownerOf(feeInvoice: string): Promise<string> {
    const loaded = isId('finv', feeInvoice) ? await this.parts.writes.load(feeInvoices, 'live', feeInvoice) : null;
    const owner = loaded && ownerOf(feeInvoices, loaded);
    if (owner === null) throw refuse('resource_missing', { message: 'There is no fee invoice with this id.' });
    return owner;
  }

  /** Finishes the effects of a `FeeInvoiced`. Safe to run any number of times, and beside the command itself. */
  async issue(
    invoiced: RecordedEvent<FeeInvoiced>,
    context: LiveContext,
    merchant?: LoadedMerchant,
  ): Promise<IssuedFeeInvoice['state']> {
    const { fee_invoice: id, number, currency, amount_minor_units, due_at } = invoiced.data;
    const command = { type: 'issue', facts: { number, currency, amount_minor_units, due_at } } as const;
    const { state } = await this.parts.writes.execute(feeInvoices, id, command, context, unwritten(feeInvoices));
    invariant(state.status !== 'none', `${id} was not issued`);
    const pausesAt = isoTime(parseIsoTime(due_at) + PAUSE_DELAY_MS);
    await this.ofAccount({ type: 'schedule_pause', feeInvoice: id, pausesAt }, context, merchant);
    return state;
  }

  /** As `issue`, for a fee invoice that was paid. */
  async withdrawPause(feeInvoice: string, context: LiveContext): Promise<void> {
    await this.ofAccount({ type: 'withdraw_pause', feeInvoice }, context);
  }

  /** The pause stands in the account's own stream, because each request reads the account anyway. */
  private async ofAccount(
    command: Parameters<typeof merchants.decide>[0],
    context: LiveContext,
    known?: LoadedMerchant,
  ): Promise<void> {
    const own = { ...context, universe: 'platform' } as const;
    await this.parts.writes.execute(merchants, context.merchantId, command, own, known);
  }

  private async accrued(merchantId: string, currency: string): Promise<bigint> {
    const { readModels, index } = this.parts;
    await index.reachHead([feeAccountsReadModel]);
    const account = await readModels.get(feeAccountsReadModel, 'live', feeAccountId('live', merchantId));
    return BigInt(account?.body.totals[currency]?.accrued_minor_units ?? 0);
  }

  /** Throws Refusal merchant_not_found. */
  private async merchant(merchantId: string): Promise<LoadedMerchant> {
    const loaded = await this.parts.writes.load(merchants, 'platform', merchantId);
    if (loaded.state.status === 'none') throw refuse('merchant_not_found');
    return loaded;
  }

  private async assertPayment(paymentIntent: string, merchantId: string, mode: MerchantContext['universe']) {
    const payment = isId('pi', paymentIntent)
      ? await this.parts.writes.load(paymentIntents, mode, paymentIntent)
      : null;
    if (payment === null || ownerOf(paymentIntents, payment) !== merchantId)
      throw refuse('payment_not_found', { param: 'payment_intent' });
  }
}

@CommandHandler(AdjustFees)
export class AdjustFeesHandler implements ICommandHandler<AdjustFees> {
  constructor(private readonly billing: FeeBilling) {}

  /** Throws the refusals of FeeBilling.adjust. */
  async execute({ mode, adjustment, context }: AdjustFees): Promise<void> {
    await this.billing.adjust(adjustment, { ...context, universe: mode });
  }
}

@CommandHandler(InvoiceFees)
export class InvoiceFeesHandler implements ICommandHandler<InvoiceFees> {
  constructor(private readonly billing: FeeBilling) {}

  /** Throws the refusals of FeeBilling.invoice. */
  async execute({ currency, context }: InvoiceFees): Promise<string> {
    const { id } = await this.billing.invoice(currency, live(context));
    return id;
  }
}

@CommandHandler(PayFeeInvoice)
export class PayFeeInvoiceHandler implements ICommandHandler<PayFeeInvoice> {
  constructor(private readonly billing: FeeBilling) {}

  /** Throws the refusals of FeeBilling.pay. */
  async execute({ feeInvoice, reference, context }: PayFeeInvoice): Promise<void> {
    await this.billing.pay(feeInvoice, reference, live(context));
  }
}

function isOf(row: FeeAdjusted['data'], { currency, amountMinorUnits, paymentIntent, memo }: Adjustment): boolean {
  const { amount_minor_units: amount, payment_intent: payment } = row;
  const isSame = row.currency === currency && amount === amountMinorUnits.toString() && payment === paymentIntent;
  return isSame && row.memo === memo.trim();
}

function live(context: AccountContext): LiveContext {
  return { ...context, universe: 'live' };
}
