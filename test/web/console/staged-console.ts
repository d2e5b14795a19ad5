import { paymentIntentsReadModel } from '../../../src/modules/payment-intents/payment-intents.read-model';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { namingIdOf, namingsIdOf } from '../../../src/modules/transfers/naming.decider';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { timedId } from '../../../src/vocabulary/ids';
import type { Mode } from '../../../src/vocabulary/modes';
import * as h from '../../modules/payment-intents/histories';
import type { StagedMerchant } from '../../support/staged-merchant';
import { tellEvents } from '../../support/tell-events';
import type { AdminBrowser, ConsoleStage } from '../console-stage';

/** The objects that the pages of the console show. */
export type StagedConsole = {
  readonly merchant: StagedMerchant;
  readonly hold: string;
  /** A proposal to suspend the merchant. */
  readonly approval: string;
  readonly review: string;
  readonly kybCase: string;
  readonly transfer: string;
  readonly feeInvoice: string;
  readonly claim: string;
};

const LOCATION = /approvals\/(apr_\w+)$/;
const ALERT = /role="alert">(.*?)<\/p>/;
const HASH = `0x${'5c'.repeat(32)}`;
const BUSINESS = {
  ...{ legal_name: 'Corner Shop Ltd', country: 'GB', registration_number: '09123456' },
  ...{ address: '1 High Street, Leeds', website: 'https://shop.example' },
};
const DOCUMENT = { kind: 'registration', name: 'extract.pdf', type: 'application/pdf', size: 48_213 };

let told = 0;

/** Objects of a merchant, as their events tell them. */
export class Telling {
  constructor(
    private readonly console: ConsoleStage,
    private readonly merchant: string,
    private readonly mode: Mode = 'test',
  ) {}

  private get atMs(): number {
    return this.console.stage.clock.now() - 600_000;
  }

  id(prefix: 'pi' | 'kyb' | 'finv' | 'kdoc'): string {
    return timedId(prefix, this.atMs, Buffer.alloc(10, (told += 1)));
  }

  async tell(stream: string, events: readonly { readonly type: string; readonly data: object }[]): Promise<void> {
    const { atMs, merchant } = this;
    await tellEvents(this.console.stage.core.store, stream, events as never, { merchant, atMs });
  }

  async payment(history: readonly PaymentIntentEvent[]): Promise<string> {
    const id = this.id('pi');
    await this.tell(`${this.mode}.payment_intent-${id}`, history);
    return id;
  }

  /** A payment that a finding about its payer holds, and its hold. */
  async held(): Promise<{ readonly payment: string; readonly hold: string }> {
    const history = [...h.HISTORIES.confirming, h.screened(h.PAYER, 'high_risk'), h.held, h.depth('tr_1')];
    const payment = await this.payment(history);
    const found = await this.console.stage.core.readModels.get(paymentIntentsReadModel, this.mode, payment);
    return { payment, hold: found?.body.hold?.id ?? '' };
  }

  async kybCase(): Promise<string> {
    const id = this.id('kyb');
    await this.tell(`platform.kyb_case-${id}`, [
      { type: 'KybCaseOpened', data: { merchant_id: this.merchant } },
      { type: 'KybDocumentAdded', data: { ...DOCUMENT, id: this.id('kdoc'), sha256: 'ab'.repeat(32) } },
      {
        type: 'KybCaseSubmitted',
        data: { business: BUSINESS, owners: [{ name: 'Ada Byron', country: 'GB', share_bps: 10_000 }] },
      },
    ]);
    return id;
  }

  async transfer(): Promise<string> {
    const { value_base_units, from, block_number, block_hash, block_time } = h.transfer('', '12340000');
    const seen = {
      token_id: 'usdc-base',
      from,
      to: h.quote.address,
      value_base_units,
      block_number,
      block_hash,
      block_time,
    };
    await this.tell(`${this.mode}.transfer-base:${HASH}:0`, [
      { type: 'TransferSeen', data: seen },
      { type: 'TransferUnmatched', data: { reason: 'no_reservation', candidate: null } },
    ]);
    return transferId({ network: 'base', txHash: HASH, ordinal: 0 });
  }

  /** The own number of an exchange, which somebody has named for the payment. */
  async claim(payment: string, id = '88123456'): Promise<string> {
    const namings = namingsIdOf('base', { kind: 'exchange_transfer', id }, null);
    const data = { payment_intent: payment, side: 'checkout' };
    await this.tell(`${this.mode}.naming-${namings}`, [{ type: 'ExchangeTransferNamed', data }]);
    return namingIdOf(namings, payment);
  }

  async feeInvoice(): Promise<string> {
    const id = this.id('finv');
    const due_at = '2026-12-01T12:00:00.000Z';
    const data = { number: 'FEE-00000001-000001', currency: 'EUR', amount_minor_units: '1250', due_at };
    await this.tell(`live.fee_invoice-${id}`, [{ type: 'FeeInvoiceIssued', data }]);
    return id;
  }
}

/** A merchant, and a payment of its whose transfer is deep enough: its payer is still to be screened. */
export async function deepPayment(stage: ConsoleStage) {
  const merchant = await stage.stage.register(stage.instance, { isChecked: false });
  const payment = await new Telling(stage, merchant.id).payment([...h.HISTORIES.confirming, h.depth('tr_1')]);
  return { mode: 'test', id: payment, merchantId: merchant.id } as const;
}

/** A merchant, and a payment of its that a finding about its payer holds. */
export async function heldPayment(stage: ConsoleStage) {
  const merchant = await stage.stage.register(stage.instance, { isChecked: false });
  const telling = new Telling(stage, merchant.id);
  const held = await telling.held();
  await stage.stage.project();
  return { merchant, ...held, telling };
}

/** Carries an action out, or proposes it, by its pages. Answers the path that its page leads to. */
export async function act(browser: AdminBrowser, action: string, fields: object): Promise<string> {
  const page = `/console/actions/${action}`;
  const { headers, body } = await browser.sendForm(page, page, fields);
  if (headers.location === undefined) throw new Error(`${action} was refused: ${ALERT.exec(body)?.[1]}`);
  return headers.location;
}

/** Proposes an action by its pages, and answers the approval's id. */
export async function propose(browser: AdminBrowser, action: string, fields: object): Promise<string> {
  return LOCATION.exec(await act(browser, action, fields))?.[1] ?? '';
}

/** An object for each list of the console. */
export async function stagedConsole(stage: ConsoleStage): Promise<StagedConsole> {
  const { merchant, hold, telling } = await heldPayment(stage);
  const owner = await stage.admin('owner');
  const [kybCase, transfer, feeInvoice] = [
    await telling.kybCase(),
    await telling.transfer(),
    await telling.feeInvoice(),
  ];
  const review = await telling.payment(h.HISTORIES.underpaid);
  const claim = await telling.claim(review);
  await act(owner, 'set-kill-switch', { scope: 'merchant', subject: merchant.id, mode: 'test', reason: 'A drill.' });
  await act(owner, 'set-kill-switch', {
    scope: 'network',
    subject: 'tron',
    mode: 'live',
    reason: 'No provider answers.',
  });
  const limit = { subject: 'merchant', window_ms: '3600000', max_count: '100', max_amount_usd: '50000000' };
  await act(owner, 'set-velocity-limit', limit);
  const entry = { network: 'base', list_source: 'ofac-sdn', reference: '12345' };
  await act(owner, 'add-sanctions-entry', { ...entry, address: h.SECOND_PAYER });
  const approval = await propose(owner, 'suspend-merchant', {
    target: merchant.id,
    reason: 'Complaints of three customers.',
  });
  await stage.stage.project();
  return { merchant, hold, approval, review, kybCase, transfer, feeInvoice, claim };
}
