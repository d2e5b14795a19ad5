import type { AccessReader } from '../../kernel/access-reader';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { SystemCommands } from '../../kernel/system-commands';
import { unwritten } from '../../kernel/write-path';
import { feeAccruals } from '../../modules/fees/fee-accrual.decider';
import { merchantsReadModel } from '../../modules/merchants/merchants.read-model';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../modules/payment-intents/payment-intent.events';

/** The events by which a payment ends as paid. A payment has one of them at most. */
export type PaymentPaid = Extract<PaymentIntentEvent, { readonly type: 'PaymentConfirmed' | 'PaymentOverpaid' }>;

/** The amount on which a fee is reckoned, in minor units. */
type Reckoned = { readonly currency: string; readonly minorUnits: bigint };

/** Books the fee of a paid payment at the merchant's rate. Safe to run any number of times. */
export class FeeAccruing {
  private readonly commands: SystemCommands;

  constructor(
    commands: SystemCommands,
    private readonly access: AccessReader,
  ) {
    this.commands = commands.of('fees');
  }

  async accrue(paid: RecordedEvent<PaymentPaid>): Promise<void> {
    const { universe: mode, id } = parseStreamName(paid.stream);
    const { merchant_id: merchantId } = paid.metadata;
    invariant(mode !== 'platform' && merchantId !== null, `${paid.stream} has no merchant`);
    const find = async () => {
      const { history } = await this.commands.read(paymentIntents, mode, id);
      return { ...reckonedOn(history, paid), bps: await this.rateOf(merchantId) };
    };
    await this.commands.execute(
      feeAccruals,
      id,
      ({ state }, { currency, minorUnits, bps }: Awaited<ReturnType<typeof find>>) => {
        // Another process, or an earlier run, has booked the fee.
        if (state !== null) return null;
        const command = { type: 'accrue', currency, reckonedOnMinorUnits: minorUnits, bps } as const;
        return { command, actor: 'sweeper', merchantId };
      },
      { mode, cause: paid, find, known: unwritten(feeAccruals) },
    );
  }

  private async rateOf(merchantId: string): Promise<number> {
    const asked = { readModel: merchantsReadModel, universe: 'platform', id: merchantId } as const;
    const [merchant] = await this.access.read([asked]);
    invariant(merchant, `${merchantId} is no merchant`);
    return merchant.body.fee_bps;
  }
}

/** The payment's amount; the received one where the merchant has accepted less money, or money that came late. */
function reckonedOn(history: readonly PaymentIntentEvent[], paid: RecordedEvent<PaymentPaid>): Reckoned {
  const [created] = history;
  invariant(created?.type === 'PaymentIntentCreated', `${paid.stream} has no beginning`);
  const { currency, amount_minor_units: amount } = created.data;
  const isAccepted = history
    .slice(0, paid.revision)
    .some(
      ({ type, data }) => type === 'PaymentAccepted' || (type === 'ReviewResolved' && data.resolution === 'accepted'),
    );
  return { currency, minorUnits: BigInt(isAccepted ? paid.data.received_minor_units : amount) };
}
