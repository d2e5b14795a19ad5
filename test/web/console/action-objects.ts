import { CommandBus, type Command } from '@nestjs/cqrs';
import { operatorContext } from '../../../src/cli/operator-context';
import type { AccountContext, PlatformContext } from '../../../src/kernel/command-context';
import { AddSanctionsEntry } from '../../../src/modules/controls/commands/sanctions-entry.command';
import { SetVelocityLimit } from '../../../src/modules/controls/commands/velocity-limit.command';
import { coverageHoleId } from '../../../src/modules/coverage/coverage-hole.decider';
import { deferredTransferId } from '../../../src/modules/coverage/deferred-transfer.decider';
import { SetKillSwitch } from '../../../src/modules/kill-switches/kill-switch.command';
import { DisableMerchant } from '../../../src/modules/merchants/commands/disable-merchant.command';
import { SetAsideAsAdministrator } from '../../../src/modules/transfers/commands/set-aside-unmatched-transfer.command';
import { COVERAGE_HOLE, DEFERRED_TRANSFER } from '../../fixtures/events/newest-coverage';
import * as h from '../../modules/payment-intents/histories';
import { parkAll } from '../../modules/system/parked-messages';
import { bookFees } from '../../support/booked-fees';
import { seeTransfer, sendTransfer, unmatchedTransfer } from '../../support/unmatched-transfer';
import type { ConsoleStage } from '../console-stage';
import { ownWallet } from '../dashboard/own-wallet';
import { Telling } from './staged-console';

/** The objects that administrators act on, each made anew. */
export class ActionObjects {
  private made = 0;

  private constructor(
    private readonly console: ConsoleStage,
    /** Payments of live mode, and cases, of a merchant to whom nothing happens. */
    readonly of: Telling,
  ) {}

  static async open(console: ConsoleStage): Promise<ActionObjects> {
    const { id } = await console.stage.register(console.instance, { isChecked: false });
    return new ActionObjects(console, new Telling(console, id, 'live'));
  }

  async merchant(): Promise<string> {
    const { stage, instance } = this.console;
    return (await stage.register(instance, { isChecked: false })).id;
  }

  async suspendedMerchant(): Promise<string> {
    const id = await this.merchant();
    await this.run(new DisableMerchant('A complaint.', this.contextOf(id)));
    return id;
  }

  /** A switch of a merchant, by its id. */
  async killSwitch(): Promise<string> {
    const id = await this.merchant();
    const stop = { mode: 'live', ground: 'operator' } as const;
    await this.run(new SetKillSwitch('merchant', id, stop, 'A drill.', this.context));
    return `merchant:${id}`;
  }

  /** A merchant with a fee and a fee invoice. */
  async owing(): Promise<{ readonly merchant: string; readonly feeInvoice: string }> {
    const merchant = await this.merchant();
    return { merchant, feeInvoice: (await bookFees(this.console.stage.core, 'live', merchant)).feeInvoice };
  }

  transfer(): Promise<string> {
    return unmatchedTransfer(this.console.instance, h.quote.address);
  }

  async setAsideTransfer(): Promise<string> {
    const { instance } = this.console;
    const txHash = sendTransfer(instance, h.quote.address, 1_000_000n);
    const id = await seeTransfer(instance, txHash);
    const [key, context] = [
      { network: 'base', txHash, ordinal: 0 },
      { ...this.context, universe: 'test' },
    ] as const;
    await this.run(new SetAsideAsAdministrator(key, { outcome: 'kept', note: 'A gift.' }, context));
    return id;
  }

  /** A transfer in the queue, and a payment at its address. */
  async transferOfPayment(): Promise<{ readonly transfer: string; readonly payment: string }> {
    const { stage, instance } = this.console;
    const merchant = await stage.register(instance, { isChecked: false });
    const body = { token_id: 'usdc-base', wallet_id: await ownWallet({ merchant }) };
    const { id } = await merchant.createIntent();
    const { payment_method } = await merchant.done(`POST /v1/payment_intents/${id}/select_method`, { body });
    const short = BigInt(payment_method.token_amount_base_units) - 1_000_000n;
    return { payment: String(id), transfer: await unmatchedTransfer(instance, merchant.owner.address, short) };
  }

  async coverageHole(): Promise<string> {
    const [{ type, data }] = COVERAGE_HOLE;
    const opened = { type, data: { ...data, block_number: data.block_number - this.next() } };
    return this.told(`live.coverage_hole-${coverageHoleId(opened.data)}`, opened);
  }

  async deferredTransfer(): Promise<string> {
    const [{ type, data }] = DEFERRED_TRANSFER;
    const deferred = { type, data: { ...data, ordinal: this.next() } };
    return this.told(`live.deferred_transfer-${deferredTransferId(deferred.data)}`, deferred);
  }

  /** A claim that waits for a decision. Its payment has a transfer. */
  async claim(): Promise<string> {
    return this.of.claim(await this.of.payment(h.HISTORIES.confirming), String(88_000_000 + this.next()));
  }

  async parked(group: string): Promise<string> {
    await parkAll(this.console.stage, group);
    return group;
  }

  async admin(): Promise<string> {
    return (await this.console.admin('viewer', `viewer${this.next()}`)).id;
  }

  async velocityLimit(subject: string): Promise<string> {
    const limit = { windowMs: 3_600_000, maxCount: 100, maxAmountUsdMinorUnits: 50_000_000n };
    await this.run(new SetVelocityLimit(subject, limit, this.context));
    return subject;
  }

  sanctionsEntry(address: string): Promise<string> {
    const entry = { address, network: 'base', listSource: 'ofac-sdn', reference: '17' };
    return this.run(new AddSanctionsEntry(entry, this.context));
  }

  /** An address of nobody. */
  address(): string {
    return `nobody${this.next()}@operator.example`;
  }

  private async told(stream: string, event: { readonly type: string; readonly data: object }): Promise<string> {
    await this.of.tell(stream, [event]);
    return stream;
  }

  private next(): number {
    return (this.made += 1);
  }

  private get context(): PlatformContext<'platform'> {
    return operatorContext({ ...this.console.stage.core, user: 'alice' });
  }

  private contextOf(merchantId: string): AccountContext {
    return { ...this.context, merchantId };
  }

  private run<Result>(command: Command<Result>): Promise<Result> {
    return this.console.instance.app.get(CommandBus).execute(command);
  }
}
