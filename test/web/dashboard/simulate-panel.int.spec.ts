import { QueryBus } from '@nestjs/cqrs';
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
