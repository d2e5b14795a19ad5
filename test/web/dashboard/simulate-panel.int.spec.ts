import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { operatorContext } from '../../../src/cli/operator-context';
import { LiftKillSwitch, SetKillSwitch } from '../../../src/modules/kill-switches/kill-switch.command';
import { derivedId } from '../../../src/vocabulary/ids';
import { DashboardStage } from '../dashboard-stage';
import { hiddenIn } from '../form-browser';

const LIMIT_MS = 60_000;
const PAYMENT = derivedId('pi', ['simulated']);

let stage: DashboardStage;
beforeAll(async () => (stage = await DashboardStage.open()), LIMIT_MS);
afterAll(() => stage.close(), LIMIT_MS);

it.each([
  ['method', { token_id: 'usdc-base' }],
  ['transfer', { outcome: 'exact', token_amount: '' }],
  ['clock', { span: '1m' }],
])('of live mode reads nothing for the form %s', async (form, fields) => {
  const { owner, instance } = stage;
  const { body } = await owner.open('/dashboard/live/settings');
  const sent = { formId: hiddenIn(body, 'form_id'), csrf: hiddenIn(body, 'csrf') };
  const asked = jest.spyOn(instance.app.get(QueryBus), 'execute').mockRejectedValue(new Error('the log is away'));
  const answer = await owner.sendForm('', `/dashboard/live/simulate/${PAYMENT}/${form}`, fields, sent);
  expect(answer.status).toBe(404);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});

it('of a payment refuses a token with the next request after it was stopped', async () => {
  const { owner, merchant, instance } = stage;
  const { id: wallet } = await merchant.registerWallet();
  await merchant.verifyWallet(wallet);
  await merchant.routeTo(wallet);
  const { id } = await merchant.createIntent();
  const page = `/dashboard/test/simulate/${id}`;
  const { body } = await owner.open(page);
  const sent = { formId: hiddenIn(body, 'form_id'), csrf: hiddenIn(body, 'csrf') };
  const choose = (form?: typeof sent) => owner.sendForm(page, `${page}/method`, { token_id: 'usdc-base' }, form);
  const commands = instance.app.get(CommandBus);
  const stop = { mode: 'test', ground: 'operator' } as const;
  const operator = () => operatorContext({ ...stage.stage.core, user: 'alice' });
  await commands.execute(new SetKillSwitch('network', 'base', stop, 'an alarm', operator()));
  expect((await choose(sent)).status).toBe(402);
  expect((await owner.open(page)).body).toContain('This token is switched off for new payments.');
  await commands.execute(new LiftKillSwitch('network', 'base', stop, 'it is over', operator()));
  expect((await choose()).status).toBe(303);
});

it('of a payment is not there for another merchant, neither the page nor its forms', async () => {
  const { merchant } = stage;
  const stranger = await stage.stranger();
  const { id } = await merchant.createIntent();
  const page = `/dashboard/test/simulate/${id}`;
  expect((await stranger.open(page)).status).toBe(404);
  const sent = await stranger.sendForm('/dashboard/test/simulate', `${page}/method`, { token_id: 'usdc-base' });
  expect(sent.status).toBe(404);
});

it('of a payment advances the clock, and stays with the payment', async () => {
  const { owner, merchant } = stage;
  const { id } = await merchant.createIntent();
  const page = `/dashboard/test/simulate/${id}`;
  const { advanced_ms: before } = await merchant.done('GET /v1/sandbox/clock');
  const { status, headers } = await owner.sendForm(page, `${page}/clock`, { span: '1m' });
  expect([status, headers.location]).toStrictEqual([303, page]);
  expect((await merchant.done('GET /v1/sandbox/clock')).advanced_ms).toBe(before + 60_000);
});
