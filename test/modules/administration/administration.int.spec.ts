import { CommandBus } from '@nestjs/cqrs';
import { BeginKyb } from '../../../src/modules/kyb/commands/kyb-case.command';
import { ADMIN_ACTIONS } from '../../../src/modules/administration/api/admin-actions';
import { approvalsReadModel } from '../../../src/modules/approvals/approvals.read-model';
import { paymentIntentsReadModel } from '../../../src/modules/payment-intents/payment-intents.read-model';
import { coverageHoleId } from '../../../src/modules/coverage/coverage-hole.decider';
import { deferredTransferId } from '../../../src/modules/coverage/deferred-transfer.decider';
import { transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import type { AdminActor } from '../../../src/vocabulary/admin-roles';
import type { JsonObject } from '../../../src/vocabulary/json';
import { COVERAGE_HOLE, DEFERRED_TRANSFER } from '../../fixtures/events/newest-coverage';
import { KYB_CASE } from '../../fixtures/events/newest-verification';
import { tellEvents } from '../../support/tell-events';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { bookFees } from '../../support/booked-fees';
import { unmatchedTransfer } from '../../support/unmatched-transfer';
import { ADA, BEN, CARL, FIN, SUE, VERA } from '../approvals/approval-facts';
import * as h from '../payment-intents/histories';
import { AdminStage, refusalOf, type Sent } from './admin-stage';

const OTTO: AdminActor = { id: `adm_${'0'.repeat(25)}t`, role: 'operations' };
const OLGA: AdminActor = { id: `adm_${'0'.repeat(25)}g`, role: 'operations' };
const FRED: AdminActor = { id: `adm_${'0'.repeat(25)}e`, role: 'finance' };
const ORDER = { amount: '2500', currency: 'EUR' };
const actions = ADMIN_ACTIONS;

let stage: ApiStage;
let instance: ApiInstance;
let admins: AdminStage;
let merchant: string;
let counter = 0;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance({ takesLive: true });
  admins = new AdminStage(stage, instance);
  merchant = (await stage.register(instance)).id;
});
afterAll(() => stage.close());

const idOf = (prefix: string): string => `${prefix}_${String(++counter).padStart(26, '0')}`;

async function payment(history: keyof typeof h.HISTORIES, ...more: Parameters<typeof admins.tell>[1]): Promise<string> {
  const id = idOf('pi');
  await admins.tell(`live.payment_intent-${id}`, [...h.HISTORIES[history], ...more], merchant);
  return id;
}

/** A payment with an open hold; its id and the hold's. */
async function heldPayment(): Promise<{ readonly id: string; readonly hold: string }> {
  const id = await payment('confirming', h.screened(h.PAYER, 'high_risk'), h.held);
  await stage.project();
  const found = await stage.core.readModels.get(paymentIntentsReadModel, 'live', id);
  return { id, hold: found?.body.hold?.id ?? '' };
}

async function kybCase(): Promise<string> {
  const id = idOf('kyb');
  const [opened, submitted] = KYB_CASE;
  await admins.tell(`platform.kyb_case-${id}`, [{ ...opened, data: { merchant_id: merchant } }, submitted], merchant);
  return id;
}

async function newMerchant(): Promise<string> {
  return (await stage.register(instance)).id;
}

/** Proposed by one, approved by another and carried out by one of the two. */
async function byTwo(
  action: Parameters<typeof admins.propose>[0],
  sent: Sent,
  [proposer, approver]: readonly [AdminActor, AdminActor],
  target?: string,
) {
  const approval = await admins.propose(action, sent, proposer, target);
  await admins.approve(approval, approver);
  await admins.carryOut(action, sent, approver, approval);
  return approval;
}

describe('an action of four eyes', () => {
  it('releases a hold in the name of both, by the edge of compliance', async () => {
    const { id, hold } = await heldPayment();
    const sent = { id: hold, body: { reason: 'Another person.' } };
    await byTwo(actions.releaseHold, sent, [SUE, BEN]);
    await expect(admins.newest('live', 'payment_intent', id)).resolves.toEqual({
      type: 'HoldReleased',
      data: { reason: 'Another person.', proposed_by: SUE.id, approved_by: BEN.id },
      actor: { role: 'compliance', type: 'admin', id: BEN.id },
    });
  });

  it('rejects a hold, approves a case, and decides a review', async () => {
    const { id, hold } = await heldPayment();
    await byTwo(actions.rejectHold, { id: hold, body: { reason: 'A match.' } }, [ADA, CARL]);
    await expect(admins.newest('live', 'payment_intent', id)).resolves.toMatchObject({ type: 'HoldRejected' });

    const kyb = await kybCase();
    await byTwo(actions.approveKybCase, { id: kyb, body: { note: 'As in the register.' } }, [ADA, BEN]);
    await expect(admins.newest('platform', 'kyb_case', kyb)).resolves.toMatchObject({
      type: 'KybApproved',
      actor: { role: 'admin', type: 'admin', id: BEN.id },
    });

    const late = await payment('underpaid');
    const rejection = { id: late, body: { resolution: 'rejected', note: 'Sent back.' } };
    await byTwo(actions.resolveReview, rejection, [OTTO, OLGA]);
    await expect(admins.newest('live', 'payment_intent', late)).resolves.toMatchObject({
      type: 'ReviewResolved',
      data: { resolution: 'rejected', note: 'Sent back.' },
      actor: { role: 'admin', type: 'admin', id: OLGA.id },
    });
  });

  it('suspends, resumes and closes a merchant', async () => {
    const id = await newMerchant();
    const sent = { id, body: { reason: 'A complaint.' } };
    for (const [action, type] of [
      [actions.suspendMerchant, 'MerchantDisabled'],
      [actions.resumeMerchant, 'MerchantEnabled'],
      [actions.closeMerchant, 'MerchantClosed'],
    ] as const) {
      await byTwo(action, sent, [SUE, ADA]);
      await expect(admins.newest('platform', 'merchant', id)).resolves.toMatchObject({
        type,
        data: { reason: 'A complaint.' },
        actor: { role: 'admin', id: ADA.id },
      });
    }
    await expect(refusalOf(admins.propose(actions.resumeMerchant, sent, ADA))).resolves.toBe(
      'invalid_state_transition',
    );
  });

  it('takes a transfer out of the queue, which one administrator reopens', async () => {
    const id = await unmatchedTransfer(instance, h.quote.address);
    const returned = { id, body: { outcome: 'returned', note: 'Sent back.' } };
    await byTwo(actions.resolveTransfer, returned, [OTTO, OLGA]);
    await expect(refusalOf(admins.propose(actions.resolveTransfer, returned, OTTO))).resolves.toBe(
      'unmatched_transfer_already_resolved',
    );
    await admins.carryOut(actions.reopenTransfer, { id, body: { reason: 'It came back.' } }, OTTO);
    const preview = await admins.preview(actions.resolveTransfer, returned, OTTO);
    expect(preview.difference[0]).toEqual({ field: 'status', before: 'unmatched', after: 'set_aside' });
  });

  it('adjusts fees once, however often it is sent', async () => {
    const id = await newMerchant();
    const sent = { id: null, body: { merchant_id: id, amount: '-120', currency: 'EUR', memo: 'Lost on chain.' } };
    const approval = await byTwo(actions.adjustFees, sent, [FIN, FRED], id);
    await expect(admins.newest('live', 'fee_account', id)).resolves.toMatchObject({
      type: 'FeeAdjusted',
      data: { currency: 'EUR', amount_minor_units: '-120', payment_intent: null, memo: 'Lost on chain.' },
    });
    await expect(refusalOf(admins.carryOut(actions.adjustFees, sent, FIN, approval))).resolves.toBe(
      'action_not_pending',
    );
  });

  it('closes a hole of coverage', async () => {
    const [opened] = COVERAGE_HOLE;
    const stream = coverageHoleId(opened.data);
    await admins.tell(`live.coverage_hole-${stream}`, [opened], merchant);
    const sent = { id: `live.coverage_hole-${stream}`, body: { reason: 'The provider lost it.' } };
    await byTwo(actions.closeCoverageHole, sent, [ADA, BEN]);
    await expect(admins.newest('live', 'coverage_hole', stream)).resolves.toMatchObject({
      type: 'CoverageHoleClosed',
      data: { note: 'The provider lost it.' },
    });
  });

  it('gives up a deferred transfer, which lies in the queue then', async () => {
    const [deferred] = DEFERRED_TRANSFER;
    const stream = deferredTransferId(deferred.data);
    await admins.tell(`live.deferred_transfer-${stream}`, [deferred], merchant);
    const sent = { id: `live.deferred_transfer-${stream}`, body: { reason: 'Its payment is damaged.' } };
    await byTwo(actions.giveUpDeferredTransfer, sent, [ADA, BEN]);
    await expect(admins.newest('live', 'deferred_transfer', stream)).resolves.toMatchObject({
      type: 'DeferredTransferGivenUp',
      data: { reason: 'Its payment is damaged.' },
      actor: { role: 'admin', id: BEN.id },
    });
    const { network_id, tx_hash, ordinal } = deferred.data;
    const place = transferStreamId({ network: network_id, txHash: tx_hash, ordinal });
    await expect(admins.newest('live', 'transfer', place)).resolves.toMatchObject({
      type: 'TransferUnmatched',
      data: { reason: 'given_up' },
    });
    await expect(refusalOf(admins.propose(actions.giveUpDeferredTransfer, sent, ADA))).resolves.toBe(
      'invalid_state_transition',
    );
  });

  it('gives up no blocks that joined the hole since its approval', async () => {
    const [opened] = COVERAGE_HOLE;
    const stream = coverageHoleId({ ...opened.data, block_number: 7 });
    const hole = `live.coverage_hole-${stream}`;
    await admins.tell(hole, [opened], merchant);
    const sent = { id: hole, body: { reason: 'The provider lost it.' } };
    const approval = await admins.propose(actions.closeCoverageHole, sent, ADA);
    await admins.approve(approval, BEN);
    const grown = { type: 'CoverageHoleExtended', data: { to_number: opened.data.to_number + 500, block_hash: '0x2' } };
    await tellEvents(stage.core.store, hole, [grown], { merchant, atMs: stage.clock.now() + 1 });
    await expect(refusalOf(admins.carryOut(actions.closeCoverageHole, sent, ADA, approval))).resolves.toBe(
      'invalid_state_transition',
    );
    await expect(admins.newest('live', 'coverage_hole', stream)).resolves.toMatchObject(grown);
    stage.clock.pass(1_000);
    await byTwo(actions.closeCoverageHole, sent, [ADA, BEN]);
  });

  it('is refused without a second administrator, and for another body, by one byte', async () => {
    const { hold } = await heldPayment();
    const sent = { id: hold, body: { reason: 'Another person.' } };
    const carryOut = (body: JsonObject, by: AdminActor, approval?: string) =>
      refusalOf(admins.carryOut(actions.releaseHold, { id: hold, body }, by, approval));
    await expect(carryOut(sent.body, ADA)).resolves.toBe('second_approval_required');
    await expect(carryOut(sent.body, SUE)).resolves.toBe('role_may_propose_only');
    await expect(carryOut(sent.body, VERA)).resolves.toBe('permission_denied');
    const approval = await admins.propose(actions.releaseHold, sent, ADA);
    await expect(carryOut(sent.body, ADA, approval)).resolves.toBe('action_not_approved');
    await expect(refusalOf(admins.approve(approval, ADA))).resolves.toBe('self_approval_forbidden');
    await admins.approve(approval, BEN);
    await expect(carryOut({ reason: 'Another person!' }, ADA, approval)).resolves.toBe('unknown_approval');
    await expect(carryOut(sent.body, CARL, approval)).resolves.toBe('executor_not_party');
    await expect(carryOut(sent.body, ADA, approval)).resolves.toBeNull();
  });

  it('is handed back where the command refuses, and is usable again', async () => {
    const id = await unmatchedTransfer(instance, h.quote.address);
    const sent = { id, body: { payment_intent: idOf('pi'), note: 'The customer called.' } };
    const approval = await admins.propose(actions.resolveTransfer, sent, OTTO);
    await admins.approve(approval, OLGA);
    for (const by of [OTTO, OLGA])
      await expect(refusalOf(admins.carryOut(actions.resolveTransfer, sent, by, approval))).resolves.toBe(
        'payment_not_found',
      );
    const found = await stage.core.readModels.get(approvalsReadModel, 'platform', approval);
    expect(found?.body).toMatchObject({ status: 'approved', lapses: true, refusal: 'payment_not_found' });
  });
});

it('lets an account take live payments once two administrators have approved its case', async () => {
  const account = await stage.register(instance);
  const context = { ...admins.as(ADA).context, merchantId: account.id };
  const commands = instance.app.get(CommandBus);
  const kyb = await commands.execute(new BeginKyb(context));
  const [, submitted] = KYB_CASE;
  await admins.tell(`platform.kyb_case-${kyb}`, [submitted], account.id);
  const create = (key: string) => account.call('POST /v1/payment_intents', { key, body: ORDER });
  const { live, test } = account.registered.keys;
  expect((await create(live)).code).toBe('payments_paused');
  expect(await create(test)).toMatchObject({ status: 200 });
  await byTwo(actions.approveKybCase, { id: kyb, body: { note: 'As in the register.' } }, [ADA, BEN]);
  expect(await create(live)).toMatchObject({ status: 200 });
});

describe('a review', () => {
  it('is accepted by its merchant alone where money is missing: forbidden_actor', async () => {
    const id = idOf('pi');
    await admins.tell(`test.payment_intent-${id}`, h.HISTORIES.underpaid, merchant);
    const sent = { id, body: { resolution: 'accepted', note: 'Enough.' } };
    await expect(refusalOf(admins.propose(actions.resolveReview, sent, OTTO))).resolves.toBe('forbidden_actor');
    const rejected = { id, body: { resolution: 'rejected', note: 'Sent back.' } };
    await expect(refusalOf(admins.propose(actions.resolveReview, rejected, OTTO))).resolves.toBeNull();
  });
});

describe('an action of one administrator', () => {
  it('places a hold, which the payment takes by the edge of compliance', async () => {
    const id = await payment('confirming');
    const sent = { id: null, body: { payment_intent: id, payer: h.PAYER, reason: 'A report.' } };
    await expect(admins.carryOut(actions.placeHold, sent, ADA)).resolves.toEqual({ target: id, made: null });
    await expect(admins.newest('live', 'payment_intent', id)).resolves.toEqual({
      type: 'HoldPlaced',
      data: { payer: h.PAYER, source: 'administrator', reason: 'A report.' },
      actor: { role: 'compliance', type: 'admin', id: ADA.id },
    });
  });

  it('tells before a hold is placed that a payment in its status cannot be held', async () => {
    const id = idOf('pi');
    await admins.tell(`test.payment_intent-${id}`, h.HISTORIES.awaiting_payment, merchant);
    const sent = { id: null, body: { payment_intent: id, payer: h.PAYER, reason: 'A report.' } };
    await expect(refusalOf(admins.preview(actions.placeHold, sent, ADA))).resolves.toBe('invalid_state_transition');
  });

  it('rejects a case, and sets and lifts a switch', async () => {
    const kyb = await kybCase();
    await admins.carryOut(actions.rejectKybCase, { id: kyb, body: { note: 'Of another business.' } }, ADA);
    await expect(admins.newest('platform', 'kyb_case', kyb)).resolves.toMatchObject({ type: 'KybRejected' });
    const stop = { scope: 'network', subject: 'tron', mode: 'live', reason: 'It stands still.' };
    await admins.carryOut(actions.setKillSwitch, { id: null, body: stop }, OTTO);
    await expect(admins.newest('platform', 'kill_switch', 'network:tron')).resolves.toMatchObject({
      type: 'KillSwitchSet',
      data: { ...stop, ground: 'operator' },
    });
    const lift = { id: 'network:tron', body: { mode: 'live', reason: 'It runs.' } };
    const { difference } = await admins.preview(actions.liftKillSwitch, lift, OTTO);
    expect(difference).toContainEqual({ field: 'reason', before: 'It stands still.', after: 'It runs.' });
    await admins.carryOut(actions.liftKillSwitch, lift, OTTO);
    await expect(admins.newest('platform', 'kill_switch', 'network:tron')).resolves.toMatchObject({
      type: 'KillSwitchLifted',
    });
  });

  it('invoices the fees of live mode, and records their payment', async () => {
    const id = await newMerchant();
    await bookFees(stage.core, 'live', id);
    await stage.project();
    const sent = { id: null, body: { merchant_id: id, currency: 'EUR' } };
    const { made } = await admins.carryOut(actions.invoiceFees, sent, FIN);
    expect(made).toMatch(/^finv_/);
    await expect(refusalOf(admins.carryOut(actions.invoiceFees, sent, FIN))).resolves.toMatch(
      /^(nothing_outstanding|provider_unavailable)$/,
    );
    await admins.carryOut(actions.payFeeInvoice, { id: made, body: { reference: 'Bank 17' } }, FIN);
    await expect(admins.newest('live', 'fee_invoice', made ?? '')).resolves.toMatchObject({ type: 'FeeInvoicePaid' });
  });
});

describe('a proposal', () => {
  it('keeps the body and says in plain rows what changes', async () => {
    const { hold } = await heldPayment();
    const sent = { id: hold, body: { reason: 'Another person.' } };
    const approval = await admins.propose(actions.releaseHold, sent, SUE);
    const found = await stage.core.readModels.get(approvalsReadModel, 'platform', approval);
    expect(found?.body).toMatchObject({
      permission: 'hold.release',
      target: hold,
      body: sent.body,
      difference: [
        { field: 'hold', before: 'open', after: 'released' },
        { field: 'reason', before: null, after: 'Another person.' },
      ],
      status: 'pending',
      proposed_by: SUE.id,
      decided_by: null,
    });
  });

  it('is of a known action that needs a second administrator, by a role that has it', async () => {
    const propose = (permission: string, by: AdminActor) =>
      refusalOf(admins.administration.propose({ permission, target: merchant, body: {} }, admins.as(by)));
    await expect(propose('hold.burn', CARL)).resolves.toBe('unknown_action');
    await expect(propose('hold.place', CARL)).resolves.toBe('second_approval_not_required');
    await expect(propose('hold.place', VERA)).resolves.toBe('permission_denied');
    await expect(propose('hold.release', FIN)).resolves.toBe('permission_denied');
  });

  it('of an invitation knows the administrator by any spelling of the address, and nobody by none', async () => {
    const invite = (email: string, role: string) =>
      admins.propose(actions.inviteAdmin, { id: null, body: { email, role } }, SUE, email);
    const approval = await invite('new@example.com', 'viewer');
    await admins.approve(approval, CARL);
    const sent = { id: null, body: { email: 'new@example.com', role: 'viewer' } };
    await admins.carryOut(actions.inviteAdmin, sent, CARL, approval);
    const found = await stage.core.readModels.get(
      approvalsReadModel,
      'platform',
      await invite(' New@Example.com', 'owner'),
    );
    expect(found?.body.difference).toContainEqual({ field: 'role', before: 'viewer', after: 'owner' });
    await expect(refusalOf(invite('nobody', 'owner'))).resolves.toBe('parameter_invalid');
  });

  it('is of the object that the body names', async () => {
    const body = { merchant_id: merchant, amount: '1', currency: 'EUR', memo: 'A gift.' };
    await expect(refusalOf(admins.propose(actions.adjustFees, { id: null, body }, FIN, 'mch_other'))).resolves.toBe(
      'parameter_invalid',
    );
  });

  it('is refused as things stand: hold_already_resolved, kyb_case_already_decided, payment_not_resolvable', async () => {
    const { hold } = await heldPayment();
    const release = { id: hold, body: { reason: 'Another person.' } };
    await byTwo(actions.releaseHold, release, [ADA, BEN]);
    const proposals = [
      [actions.releaseHold, release, ADA, 'hold_already_resolved'],
      [
        actions.resolveReview,
        { id: await payment('confirmed'), body: { resolution: 'rejected', note: 'x' } },
        OTTO,
        'payment_not_resolvable',
      ],
    ] as const;
    for (const [action, sent, by, code] of proposals)
      await expect(refusalOf(admins.propose(action, sent, by))).resolves.toBe(code);
    const kyb = await kybCase();
    await admins.carryOut(actions.rejectKybCase, { id: kyb, body: { note: 'No.' } }, ADA);
    await expect(
      refusalOf(admins.propose(actions.approveKybCase, { id: kyb, body: { note: 'Yes.' } }, ADA)),
    ).resolves.toBe('kyb_case_already_decided');
  });
});

describe('the body and the object of an action', () => {
  const note = { note: 'Seen.' };
  const reason = { reason: 'Why.' };
  const stop = { scope: 'network', subject: 'tron', mode: 'live', ...reason };
  const adjustment = { merchant_id: `mch_${'0'.repeat(26)}`, amount: '1', currency: 'EUR', memo: 'A gift.' };
  const unknown = (prefix: string) => `${prefix}_${'0'.repeat(26)}`;

  // prettier-ignore
  it.each([
    ['placeHold', null, { payment_intent: unknown('pi'), payer: '0x', ...reason }, ADA, 'payment_not_found'],
    ['placeHold', null, { payment_intent: unknown('pi'), payer: '0x', reason: ' ' }, ADA, 'invalid_hold_reason'],
    ['rejectKybCase', unknown('kyb'), note, ADA, 'kyb_case_not_found'],
    ['rejectKybCase', unknown('kyb'), {}, ADA, 'parameter_missing'],
    ['reopenTransfer', unknown('tr'), reason, OTTO, 'unmatched_transfer_not_found'],
    ['reopenTransfer', unknown('tr'), { reason: '' }, OTTO, 'invalid_reason'],
    ['setKillSwitch', null, { ...stop, scope: 'galaxy' }, OTTO, 'invalid_killswitch_scope'],
    ['setKillSwitch', null, { ...stop, subject: 'moon' }, OTTO, 'invalid_killswitch_subject'],
    ['setKillSwitch', null, { ...stop, reason: '' }, OTTO, 'invalid_killswitch_reason'],
    ['setKillSwitch', null, { ...stop, mode: 'dream' }, OTTO, 'invalid_mode'],
    ['setKillSwitch', null, { ...stop, colour: 'red' }, OTTO, 'parameter_invalid'],
    ['liftKillSwitch', 'tron', { mode: 'live', ...reason }, OTTO, 'invalid_killswitch_scope'],
    ['invoiceFees', null, { currency: 'EUR' }, FIN, 'missing_merchant'],
    ['invoiceFees', null, { currency: 'EUR', merchant_id: 'mch_1' }, FIN, 'invalid_merchant'],
    ['invoiceFees', null, { currency: 'EUR', merchant_id: 17 }, FIN, 'invalid_merchant'],
    ['invoiceFees', null, { currency: 'EUR', merchant_id: unknown('mch') }, FIN, 'merchant_not_found'],
    ['invoiceFees', null, { currency: 'euro', merchant_id: unknown('mch') }, FIN, 'invalid_currency'],
    ['payFeeInvoice', unknown('finv'), { reference: 'Bank 17' }, FIN, 'resource_missing'],
  ] as const)('%s of %s by %j is refused', async (name, id, body, by, code) => {
    await expect(refusalOf(admins.carryOut(actions[name], { id, body }, by))).resolves.toBe(code);
  });

  // prettier-ignore
  it.each([
    ['releaseHold', unknown('hold'), reason, ADA, 'hold_not_found'],
    ['releaseHold', 'hold_1', {}, ADA, 'parameter_missing'],
    ['rejectHold', unknown('hold'), { reason: '' }, ADA, 'invalid_hold_reason'],
    ['approveKybCase', unknown('kyb'), note, ADA, 'kyb_case_not_found'],
    ['approveKybCase', unknown('kyb'), { note: 'a\u0000b' }, ADA, 'parameter_invalid'],
    ['resolveReview', unknown('pi'), { resolution: 'accepted', ...note }, OTTO, 'payment_not_found'],
    ['resolveReview', unknown('pi'), { resolution: 'shrugged', ...note }, OTTO, 'invalid_resolution'],
    ['resolveReview', unknown('pi'), { resolution: 'accepted', note: '' }, OTTO, 'invalid_resolution'],
    ['resolveTransfer', unknown('tr'), { outcome: 'kept', ...note }, OTTO, 'unmatched_transfer_not_found'],
    ['resolveTransfer', unknown('tr'), note, OTTO, 'invalid_resolution'],
    ['resolveTransfer', unknown('tr'), { outcome: 'kept', payment_intent: unknown('pi'), ...note }, OTTO, 'invalid_resolution'],
    ['suspendMerchant', unknown('mch'), reason, ADA, 'merchant_not_found'],
    ['suspendMerchant', unknown('mch'), { reason: ' ' }, ADA, 'invalid_reason'],
    ['adjustFees', null, { ...adjustment, amount: '0' }, FIN, 'invalid_amount'],
    ['adjustFees', null, { ...adjustment, memo: ' ' }, FIN, 'invalid_memo'],
    ['adjustFees', null, { ...adjustment, mode: 'dream' }, FIN, 'invalid_mode'],
    ['adjustFees', null, adjustment, FIN, 'merchant_not_found'],
    ['closeCoverageHole', 'bnb:1', reason, ADA, 'resource_missing'],
    ['closeCoverageHole', 'live.coverage_hole-bnb:1', reason, ADA, 'resource_missing'],
  ] as const)('%s of %s by %j is not proposed', async (name, id, body, by, code) => {
    const target = id ?? adjustment.merchant_id;
    await expect(refusalOf(admins.propose(actions[name], { id, body }, by, target))).resolves.toBe(code);
  });
});
