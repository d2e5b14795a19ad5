import { refuse } from '../../src/vocabulary/errors';
import { FormWork, type FormRequest } from '../../web/http/form-work';
import { ManualClock, NOON, openRecords } from '../platform/idempotency/idempotency-fixture';
import { MemoryDocuments } from '../support/memory-documents';

const FORM_ID = 'a1'.repeat(16);

async function forms() {
  const clock = new ManualClock();
  const wait = () => new Promise<void>(resolve => setImmediate(resolve));
  const pausing = { now: () => clock.now(), wait };
  return new FormWork(await openRecords({ documents: new MemoryDocuments(), clock }), pausing);
}

const request = (changes: Partial<FormRequest> = {}): FormRequest => ({
  mode: 'test',
  merchantId: 'mch_1',
  action: 'pi_1/method',
  form: { form_id: FORM_ID, token_id: 'usdc-base' },
  nowMs: NOON,
  ...changes,
});

test('two clicks at once have one effect and lead to the same page', async () => {
  const work = await forms();
  const commands: string[] = [];
  const effect = async ({ commandId }: { commandId: string }) => {
    commands.push(commandId);
    await new Promise(resolve => setImmediate(resolve));
    return `/checkout/pi_1?${commands.length}`;
  };
  const paths = await Promise.all([work.once(request(), effect), work.once(request(), effect)]);
  expect(commands).toHaveLength(1);
  expect(paths).toStrictEqual(['/checkout/pi_1?1', '/checkout/pi_1?1']);
});

test('the same form of another action, and another form, have effects of their own', async () => {
  const work = await forms();
  const effect = jest.fn(() => Promise.resolve('/'));
  await work.once(request(), effect);
  await work.once(request({ action: 'pi_2/method' }), effect);
  await work.once(request({ form: { form_id: 'b2'.repeat(16), token_id: 'usdc-base' } }), effect);
  expect(effect).toHaveBeenCalledTimes(3);
});

test('a refusal is told again, and the work is not done again', async () => {
  const work = await forms();
  const effect = jest.fn(() => Promise.reject(refuse('invalid_state_transition')));
  for (let click = 0; click < 2; click++)
    await expect(work.once(request(), effect)).rejects.toMatchObject({ code: 'invalid_state_transition' });
  expect(effect).toHaveBeenCalledTimes(1);
});

test('a form whose work met a fault can be sent again, under the same command', async () => {
  const work = await forms();
  const commands: string[] = [];
  const effect = ({ commandId }: { commandId: string }) => {
    commands.push(commandId);
    return commands.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve('/done');
  };
  await expect(work.once(request(), effect)).rejects.toThrow('away');
  await expect(work.once(request(), effect)).resolves.toBe('/done');
  expect(new Set(commands).size).toBe(1);
});

test('a sent form with other fields is another form', async () => {
  const work = await forms();
  await work.once(request(), () => Promise.resolve('/'));
  const changed = request({ form: { form_id: FORM_ID, token_id: 'usdt-tron' } });
  await expect(work.once(changed, () => Promise.resolve('/'))).rejects.toMatchObject({ code: 'idempotency_key_reuse' });
});

test.each(['', 'x', `${FORM_ID}0`, FORM_ID.toUpperCase(), '__proto__'])('no page makes the id %j', async formId => {
  const work = await forms();
  const effect = jest.fn(() => Promise.resolve('/'));
  await expect(work.once(request({ form: { form_id: formId } }), effect)).rejects.toMatchObject({
    code: 'parameter_invalid',
    param: 'form_id',
  });
  expect(effect).not.toHaveBeenCalled();
});
