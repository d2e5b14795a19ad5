import { AdminLists } from '../../../src/modules/administration/api/admin-lists.reader';
import { ADMIN_LISTS } from '../../../src/modules/administration/api/admin-lists';
import { feeAccounts } from '../../../src/modules/administration/api/lists/fees';
import { ADMIN_ACTIONS } from '../../../src/modules/administration/api/admin-actions';
import { coverageHoleId } from '../../../src/modules/coverage/coverage-hole.decider';
import { namingsIdOf } from '../../../src/modules/transfers/naming.decider';
import type { ApiDocument } from '../../../src/platform/docs/api-document';
import type { AdminActor } from '../../../src/vocabulary/admin-roles';
import { COVERAGE_HOLE, DEFERRED_TRANSFER } from '../../fixtures/events/newest-coverage';
import { KYB_CASE } from '../../fixtures/events/newest-verification';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { bookFees } from '../../support/booked-fees';
import { OpenApiValidation } from '../../support/openapi-validation';
import { unmatchedTransfer } from '../../support/unmatched-transfer';
import { ADA, FIN } from '../approvals/approval-facts';
import * as h from '../payment-intents/histories';
import { AdminStage, refusalOf } from './admin-stage';
import { signedInAdmin, type SignedInAdmin } from './signed-in-admin';

const LIMIT_MS = 60_000;
const OTTO: AdminActor = { id: `adm_${'0'.repeat(25)}t`, role: 'operations' };
const idOf = (prefix: string, number: number): string => `${prefix}_${String(number).padStart(26, '0')}`;
const [HELD, SHORT, PAID, LIVE_SHORT] = [idOf('pi', 1), idOf('pi', 2), idOf('pi', 3), idOf('pi', 4)];
const CASES = [idOf('kyb', 1), idOf('kyb', 2)] as const;
const EXCHANGE_ID = '204815162342';

let stage: ApiStage;
let instance: ApiInstance;
let admins: AdminStage;
let merchant: string;
let other: string;
let viewer: SignedInAdmin;
let validation: OpenApiValidation;
let transfer: string;
let hole: string;
let deferred: string;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  admins = new AdminStage(stage, instance);
  merchant = (await stage.register(instance)).id;
  other = (await stage.register(instance)).id;
  viewer = await signedInAdmin(stage, instance, 'vera@example.com', 'viewer');

  await admins.tell(
    `test.payment_intent-${HELD}`,
    [...h.HISTORIES.confirming, h.screened(h.PAYER, 'high_risk'), h.held],
    merchant,
  );
  await admins.tell(`test.payment_intent-${SHORT}`, h.HISTORIES.underpaid, merchant);
  await admins.tell(`live.payment_intent-${LIVE_SHORT}`, h.HISTORIES.underpaid, other);
  await admins.tell(`test.payment_intent-${PAID}`, h.HISTORIES.confirmed, merchant);
  const [opened, submitted] = KYB_CASE;
  for (const id of CASES)
    await admins.tell(`platform.kyb_case-${id}`, [{ ...opened, data: { merchant_id: merchant } }], merchant);
  await admins.tell(`platform.kyb_case-${CASES[1]}`, [submitted], merchant);
  transfer = await unmatchedTransfer(instance, h.quote.address);
  for (const payment of [SHORT, PAID]) {
    const naming = namingsIdOf('base', { kind: 'exchange_transfer', id: `${EXCHANGE_ID}${payment.at(-1)}` }, null);
    const data = { payment_intent: payment, side: 'checkout' } as const;
    await admins.tell(`test.naming-${naming}`, [{ type: 'ExchangeTransferNamed', data }], merchant);
  }
  hole = `live.coverage_hole-${coverageHoleId(COVERAGE_HOLE[0].data)}`;
  await admins.tell(hole, [COVERAGE_HOLE[0]], merchant);
  deferred = 'live.deferred_transfer-base:0x1:0';
  await admins.tell(deferred, [DEFERRED_TRANSFER[0]], merchant);
  await bookFees(stage.core, 'live', merchant);
  const adjustment = { merchant_id: merchant, amount: '-120', currency: 'EUR', memo: 'Lost on chain.' };
  const approval = await admins.propose(ADMIN_ACTIONS.adjustFees, { id: null, body: adjustment }, FIN, merchant);
  await admins.approve(approval, { ...ADA, role: 'owner' });
  await admins.carryOut(ADMIN_ACTIONS.adjustFees, { id: null, body: adjustment }, FIN, approval);
  const stop = { scope: 'network', subject: 'tron', mode: 'live', reason: 'It stands still.' };
  await admins.carryOut(ADMIN_ACTIONS.setKillSwitch, { id: null, body: stop }, OTTO);
  await stage.project();
  validation = new OpenApiValidation((await viewer.browser.get('openapi.json')).body as unknown as ApiDocument);
}, LIMIT_MS);
afterAll(() => stage.close(), LIMIT_MS);

/** The ids of a page, whose answer keeps the contract. */
async function ids(path: string): Promise<readonly unknown[]> {
  const { status, body, code } = await viewer.browser.get(path);
  expect([path, status, code]).toEqual([path, 200, null]);
  validation.check({ method: 'GET', path: `/admin/${path}`, status, body });
  return (body.data as readonly { readonly id: unknown }[]).map(({ id }) => id);
}

async function one(path: string) {
  const { status, body } = await viewer.browser.get(path);
  validation.check({ method: 'GET', path: `/admin/${path}`, status, body });
  return body;
}

describe('the queues', () => {
  it('have the payments that are held or wait for a decision', async () => {
    const [hold] = await ids('holds?status=open');
    expect(await one(`holds/${String(hold)}`)).toMatchObject({
      ...{ object: 'hold', merchant_id: merchant, mode: 'test', status: 'open', payer: h.PAYER },
      payment_intent: { id: HELD, status: 'confirming', amount: '2500', currency: 'EUR' },
    });
    expect(await ids('holds?mode=live')).toEqual([]);
    expect(await ids('reviews')).toEqual([LIVE_SHORT, SHORT]);
    expect(await ids('reviews?limit=1')).toEqual([LIVE_SHORT]);
    expect(await ids(`reviews?starting_after=${LIVE_SHORT}`)).toEqual([SHORT]);
    expect(await ids('reviews?mode=test')).toEqual([SHORT]);
    expect(await ids(`reviews?merchant=${other}&status=underpaid`)).toEqual([LIVE_SHORT]);
    expect(await ids('reviews?status=paid_late')).toEqual([]);
    expect((await viewer.browser.get(`reviews/${PAID}`)).code).toBe('payment_not_resolvable');
  });

  it('have the cases, by merchant and status', async () => {
    expect(await ids('kyb_cases')).toEqual([CASES[1], CASES[0]]);
    expect(await ids(`kyb_cases?merchant=${merchant}&status=submitted`)).toEqual([CASES[1]]);
    expect(await ids(`kyb_cases?merchant=${other}`)).toEqual([]);
    expect(await one(`kyb_cases/${CASES[1]}`)).toMatchObject({ object: 'kyb_case', status: 'submitted' });
    expect((await viewer.browser.get('kyb_cases/kyb_none')).code).toBe('kyb_case_not_found');
    expect((await viewer.browser.get(`kyb_cases/${CASES[1]}/documents/kdoc_none`)).code).toBe('resource_missing');
  });

  it('have transfers without a payment, and what is set aside', async () => {
    expect(await ids('unmatched_transfers')).toEqual([transfer]);
    expect(await ids('unmatched_transfers?status=attribution_failed')).toEqual([]);
    expect(await ids(`unmatched_transfers?merchant=${other}`)).toEqual([]);
    expect(await one(`unmatched_transfers/${transfer}`)).toMatchObject({ token_amount: '12.345678', candidates: [] });
    expect(await ids('coverage_holes')).toEqual([hole]);
    expect(await one(`coverage_holes/${encodeURIComponent(hole)}`)).toMatchObject({ id: hole, reason: 'disputed' });
    expect(await ids('deferred_transfers')).toEqual([deferred]);
    expect(await ids('deferred_transfers?mode=test')).toEqual([]);
  });

  it('have merchants, switches, fees and administrators', async () => {
    expect(await ids('merchants?status=active')).toEqual([other, merchant]);
    expect(await one(`merchants/${merchant}`)).toMatchObject({ object: 'merchant', stops: [], fee_bps: 50 });
    expect(await ids('kill_switches')).toEqual(['network:tron']);
    expect(await ids('kill_switches?mode=test')).toEqual([]);
    expect(await ids('kill_switches?scope=network&mode=live')).toEqual(['network:tron']);
    expect(await ids('fees/accounts')).toHaveLength(1);
    expect(await ids(`fees/adjustments?merchant=${merchant}`)).toHaveLength(1);
    expect(await ids('fees/invoices?status=open')).toHaveLength(1);
    expect(await ids('fees/invoices?status=paid')).toEqual([]);
    expect(await ids('admins?role=viewer')).toEqual([viewer.id]);
  });

  it.each([
    ['holds?mode=dream', 'invalid_mode'],
    ['kill_switches?mode=dream', 'invalid_mode'],
    ['holds?status=lost', 'invalid_filter'],
    ['holds?colour=red', 'invalid_filter'],
    ['holds?limit=0', 'invalid_limit'],
    ['holds?starting_after=hold_none', 'invalid_cursor'],
    ['geo?limit=1000', 'invalid_limit'],
  ] as const)('refuse %s with %s', async (path, code) => {
    expect((await viewer.browser.get(path)).code).toBe(code);
  });

  it('say in the schema of a filter what is listed where the filter is left out', () => {
    expect(feeAccounts.filters.mode).toMatchObject({ default: 'live' });
  });

  it('are read by pages without HTTP', async () => {
    const lists = instance.app.get(AdminLists);
    const { data } = await lists.page(ADMIN_LISTS.reviews, { mode: 'test' });
    expect(data.map(({ payment_intent: payment }) => payment.received_amount)).toHaveLength(1);
    await expect(refusalOf(lists.get(ADMIN_LISTS.merchants, 'mch_none'))).resolves.toBe('merchant_not_found');
  });
});

describe('a naming by an exchange’s own number', () => {
  const resolve = (id: unknown, body: Record<string, string>) =>
    refusalOf(admins.carryOut(ADMIN_ACTIONS.resolveClaim, { id: String(id), body: { note: 'Seen.', ...body } }, OTTO));

  it('is closed by a transfer that its payment has, or without one', async () => {
    // Both were filed in the same moment.
    expect(await ids('claims')).toHaveLength(2);
    const { data } = await instance.app.get(AdminLists).page(ADMIN_LISTS.claims, {});
    const namingOf = (payment: string) => data.find(({ payment_intent }) => payment_intent === payment)?.id;
    const [paid, short] = [namingOf(PAID), namingOf(SHORT)];
    const hash = `0x${'ab'.repeat(32)}`;
    await expect(resolve(paid, { outcome: 'shrugged' })).resolves.toBe('invalid_resolution');
    await expect(resolve(paid, { outcome: 'attributed' })).resolves.toBe('invalid_tx_hash');
    await expect(resolve(paid, { outcome: 'refused', tx_hash: hash })).resolves.toBe('invalid_tx_hash');
    await expect(resolve(paid, { outcome: 'attributed', tx_hash: '17' })).resolves.toBe('invalid_tx_hash');
    const strange = { outcome: 'attributed', tx_hash: `0x${'cd'.repeat(32)}` };
    await expect(resolve(paid, strange)).resolves.toBe('invalid_tx_hash');
    await expect(resolve(idOf('tc', 9), { outcome: 'refused' })).resolves.toBe('resource_missing');

    await expect(resolve(paid, { outcome: 'attributed', tx_hash: hash })).resolves.toBeNull();
    await expect(resolve(short, { outcome: 'refused' })).resolves.toBeNull();
    await expect(resolve(short, { outcome: 'refused' })).resolves.toBe('invalid_resolution');
    await stage.project();
    expect(await ids('claims')).toEqual([]);
    // The history's own id of the transfer has not the form of the contract.
    const decided = await instance.app.get(AdminLists).get(ADMIN_LISTS.claims, String(paid));
    expect(decided).toMatchObject({ status: 'attributed', reference: `${EXCHANGE_ID}3`, transfer: 'tr_1' });
    expect(await ids('claims?status=refused')).toEqual([short]);
  });
});
