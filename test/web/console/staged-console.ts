import { timedId } from '../../../src/vocabulary/ids';
import { paymentIntentsReadModel } from '../../../src/modules/payment-intents/payment-intents.read-model';
import * as h from '../../modules/payment-intents/histories';
import type { StagedMerchant } from '../../support/staged-merchant';
import { tellEvents } from '../../support/tell-events';
import type { AdminBrowser, ConsoleStage } from '../console-stage';

/** The objects that the pages of the console show. */
export type StagedConsole = {
  readonly merchant: StagedMerchant;
  readonly payment: string;
  readonly hold: string;
  /** A proposal to suspend the merchant. */
  readonly approval: string;
};

const LOCATION = /approvals\/(apr_\w+)$/;

/** A merchant, and a payment of its that a finding about its payer holds. */
export async function heldPayment({ stage, instance }: ConsoleStage) {
  const merchant = await stage.register(instance, { isChecked: false });
  const atMs = stage.clock.now() - 600_000;
  const payment = timedId('pi', atMs, Buffer.alloc(10, 7));
  const history = [...h.HISTORIES.confirming, h.screened(h.PAYER, 'high_risk'), h.held, h.depth('tr_1')];
  await tellEvents(stage.core.store, `test.payment_intent-${payment}`, history, { merchant: merchant.id, atMs });
  await stage.project();
  const found = await stage.core.readModels.get(paymentIntentsReadModel, 'test', payment);
  return { merchant, payment, hold: found?.body.hold?.id ?? '' };
}

/** Proposes an action by its pages, and answers the approval's id. */
export async function propose(browser: AdminBrowser, action: string, fields: object): Promise<string> {
  const page = `/console/actions/${action}`;
  const { headers, body } = await browser.sendForm(page, page, fields);
  const [, id] = LOCATION.exec(headers.location ?? '') ?? [];
  if (id === undefined) throw new Error(`nothing was proposed: ${body}`);
  return id;
}

export async function stagedConsole(stage: ConsoleStage): Promise<StagedConsole> {
  const held = await heldPayment(stage);
  const owner = await stage.admin('owner');
  const fields = { target: held.merchant.id, reason: 'Complaints of three customers.' };
  const approval = await propose(owner, 'suspend-merchant', fields);
  await stage.stage.project();
  return { ...held, approval };
}
