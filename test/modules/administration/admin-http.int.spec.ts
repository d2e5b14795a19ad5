import { ADMIN_ACTIONS } from '../../../src/modules/administration/api/admin-actions';
import type { AdminAction } from '../../../src/modules/administration/api/admin-action';
import { paymentIntentsReadModel } from '../../../src/modules/payment-intents/payment-intents.read-model';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';
import { tellEvents } from '../../support/tell-events';
import { ConsoleCaller } from '../admins/console-caller';
import * as h from '../payment-intents/histories';
import { agreed, risky, signedInAdmin, type SignedInAdmin } from './signed-in-admin';

const ACTIONS = Object.entries(ADMIN_ACTIONS) as readonly (readonly [string, AdminAction])[];
const PAYMENT = 'pi_00000000000000000000000001';

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let people: Readonly<Record<'ada' | 'ben' | 'sue' | 'vera', SignedInAdmin>>;

const signedIn = (email: string, role: string) => signedInAdmin(stage, instance, email, role);

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = await stage.register(instance, { isChecked: false });
  people = {
    ada: await signedIn('ada@example.com', 'compliance'),
    ben: await signedIn('ben@example.com', 'compliance'),
    sue: await signedIn('sue@example.com', 'support'),
    vera: await signedIn('vera@example.com', 'viewer'),
  };
});
afterAll(() => stage.close());

const pathOf = ({ path }: AdminAction): string => path.replace(':id', 'any');

describe('the routes of administrators’ actions', () => {
  it.each(ACTIONS)('%s is hidden from keys and strangers, and refused to a viewer', async (_, action) => {
    const path = pathOf(action);
    expect((await new ConsoleCaller(stage, instance).post(path)).code).toBe('admin_session_required');
    expect((await merchant.call(`POST /admin/${path}`, { body: {} })).code).toBe('admin_session_required');
    expect((await people.vera.browser.post(path)).code).toBe('permission_denied');
  });

  it('checks the token of a write before the permission, and the body before the code', async () => {
    const { browser } = people.ada;
    const path = 'holds/hold_1/release';
    expect((await browser.post(path, {}, { 'x-csrf-token': 'another' })).code).toBe('permission_denied');
    expect((await browser.post(path, {})).code).toBe('parameter_missing');
    expect((await browser.post(path, { reason: 'Why.' })).code).toBe('mfa_required');
    expect((await risky(people.ada, path, { reason: 'Why.' })).code).toBe('second_approval_required');
  });
});

describe('two administrators', () => {
  it('release a hold: proposed by one, approved by another, carried out once', async () => {
    const history = [...h.HISTORIES.confirming, h.screened(h.PAYER, 'high_risk'), h.held];
    const facts = { merchant: merchant.id, atMs: stage.clock.now() - 600_000 };
    await tellEvents(stage.core.store, `live.payment_intent-${PAYMENT}`, history, facts);
    await stage.project();
    const found = await stage.core.readModels.get(paymentIntentsReadModel, 'live', PAYMENT);
    const hold = found?.body.hold?.id ?? '';
    const body = { reason: 'Another person.' };

    const proposal = { permission: 'hold.release', target: hold, body };
    const proposed = await people.sue.browser.post('approvals', proposal);
    expect(proposed.body).toMatchObject({
      ...{ object: 'approval', permission: 'hold.release', target: hold, body, status: 'pending' },
      ...{ proposed_by: people.sue.id, decided_by: null },
      difference: [
        { field: 'hold', before: 'open', after: 'released' },
        { field: 'reason', before: null, after: 'Another person.' },
      ],
    });
    const id = String(proposed.body.id);
    await stage.project();
    const inbox = await people.vera.browser.get('approvals?status=pending');
    expect(inbox.body).toMatchObject({ url: '/admin/approvals', has_more: false, data: [{ id }] });
    expect((await people.sue.browser.get('approvals?status=lost')).code).toBe('invalid_filter');

    const note = { note: 'Seen.' };
    expect((await risky(people.sue, `approvals/${id}/approve`, note)).code).toBe('role_may_propose_only');
    expect((await risky(people.vera, `approvals/${id}/approve`, note)).code).toBe('permission_denied');
    const approved = await risky(people.ben, `approvals/${id}/approve`, note);
    expect(approved.body).toMatchObject({ status: 'approved', decided_by: people.ben.id, note: 'Seen.' });

    const release = `holds/${hold}/release`;
    const changed = { reason: 'Another person!', approval_id: id };
    expect((await risky(people.ben, release, changed)).code).toBe('unknown_approval');
    expect((await risky(people.ada, release, { ...body, approval_id: id })).code).toBe('executor_not_party');
    const done = await risky(people.ben, release, { ...body, approval_id: id });
    expect(done.body).toEqual({ object: 'admin_action', permission: 'hold.release', target: hold, made: null });
    expect((await risky(people.ben, release, { ...body, approval_id: id })).code).toBe('action_not_pending');
    const [event] = (await stage.core.store.readStream(`live.payment_intent-${PAYMENT}`)).slice(-1);
    expect([event?.type, event?.data, event?.metadata.actor]).toEqual([
      'HoldReleased',
      { reason: 'Another person.', proposed_by: people.sue.id, approved_by: people.ben.id },
      { role: 'compliance', type: 'admin', id: people.ben.id },
    ]);
    expect(event?.metadata.request_id).toMatch(/^req_/);
    expect((await people.vera.browser.get(`approvals/${id}`)).body).toMatchObject({ status: 'executed' });
  });

  it('invite and change administrators', async () => {
    const [ora, ove] = [await signedIn('ora@example.com', 'owner'), await signedIn('ove@example.com', 'owner')];
    const carryOut = async (target: string, path: string, body: Record<string, string>) => {
      const approval_id = await agreed(ora, ove, { permission: 'admin.manage', target, body });
      const done = await risky(ora, path, { ...body, approval_id });
      expect(done.body).toMatchObject({ permission: 'admin.manage', target });
    };
    await carryOut('new@example.com', 'admins', { email: 'new@example.com', role: 'finance' });
    await carryOut(people.sue.id, `admins/${people.sue.id}`, { role: 'operations', reason: 'Another team.' });
    expect((await people.sue.browser.get('session')).body).toMatchObject({ admin: { role: 'operations' } });
    await carryOut(people.sue.id, `admins/${people.sue.id}`, { status: 'disabled', reason: 'Has left.' });
    expect((await people.sue.browser.get('session')).status).toBe(401);
    const unknownRole = { permission: 'admin.manage', target: people.sue.id, body: { role: 'king', reason: 'x' } };
    expect((await ora.browser.post('approvals', unknownRole)).code).toBe('invalid_role');
  });

  it('withdraw and deny by their own routes', async () => {
    const { id: target } = merchant;
    const proposal = { permission: 'merchant.suspend', target, body: { reason: 'A complaint.' } };
    const [first, second] = [
      await people.ada.browser.post('approvals', proposal),
      await people.ada.browser.post('approvals', proposal),
    ];
    const word = (person: SignedInAdmin, id: unknown, decision: string) =>
      person.browser.post(`approvals/${String(id)}/${decision}`, { note: 'No.' });
    expect((await word(people.ada, first.body.id, 'withdraw')).body).toMatchObject({ status: 'withdrawn' });
    expect((await word(people.ada, second.body.id, 'deny')).code).toBe('self_approval_forbidden');
    expect((await word(people.ben, second.body.id, 'deny')).body).toMatchObject({ status: 'denied' });
    expect((await word(people.ben, 'apr_none', 'deny')).code).toBe('unknown_action');
    expect((await people.ada.browser.get('approvals/apr_none')).code).toBe('unknown_action');
  });
});
