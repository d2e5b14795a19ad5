import { CommandBus } from '@nestjs/cqrs';
import { generateSync } from 'otplib';
import { AdminOwners } from '../../../src/processes/administrators/admin-owners';
import { ensureFirstAdmin } from '../../../src/processes/administrators/first-admin';
import { isRefusal } from '../../../src/vocabulary/errors';
import { adminIdOfEmail } from '../../../src/modules/admins/admin-people';
import { CreateAdmin, DisableAdmin } from '../../../src/modules/admins/commands/manage-admins.command';
import { adminsReadModel } from '../../../src/modules/admins/admins.read-model';
import { loadConfig } from '../../../src/platform/config/config';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { ServiceInProcess } from '../../support/service-in-process';
import { ConsoleCaller, PASSWORD } from '../../modules/admins/console-caller';

const EMAIL = 'first@pay.example';
const SEED = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const GIVEN = {
  BOOTSTRAP_ADMIN_EMAIL: EMAIL,
  BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
  BOOTSTRAP_ADMIN_TOTP_SEED: `otpauth://totp/Quittance:first?secret=${SEED}&issuer=Quittance`,
};

let stage: ApiStage;
let instance: ApiInstance;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
});

afterAll(() => stage.close());

async function startWith(env: Readonly<Record<string, string>>, environment: 'development' | 'production') {
  const { app } = instance;
  try {
    await ensureFirstAdmin({
      given: loadConfig(env).bootstrapAdmin,
      isProduction: environment === 'production',
      owners: app.get(AdminOwners, { strict: false }),
      commands: app.get(CommandBus),
      clock: stage.core.clock,
    });
    return 'started';
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

it('makes the first owner from the variables of a start, and asks for them no more', async () => {
  expect(await startWith({}, 'development')).toBe('started');
  expect(await startWith({}, 'production')).toBe('bootstrap_admin_credentials_required');
  expect(await startWith(GIVEN, 'production')).toBe('started');
  expect(await startWith({}, 'production')).toBe('started');
  expect(await startWith({ ...GIVEN, BOOTSTRAP_ADMIN_EMAIL: 'second@pay.example' }, 'production')).toBe('started');
  const { readModels } = stage.core;
  const first = await readModels.get(adminsReadModel, 'platform', adminIdOfEmail(EMAIL));
  expect(first?.body).toMatchObject({ role: 'owner', status: 'active', shows_codes: true });
  expect(await readModels.get(adminsReadModel, 'platform', adminIdOfEmail('second@pay.example'))).toBeNull();
  expect(JSON.stringify(first)).not.toContain(SEED);
});

it('lets the first owner sign in by the given seed', async () => {
  const browser = new ConsoleCaller(stage, instance);
  expect((await browser.start(EMAIL)).body).toMatchObject({ stage: 'code' });
  const code = generateSync({ secret: SEED, epoch: Math.floor(stage.clock.now() / 1_000) });
  expect((await browser.post('session/code', { code })).body).toMatchObject({ stage: 'full' });
});

it('makes the first owner as the very service starts', async () => {
  const service = await ServiceInProcess.start(GIVEN);
  try {
    const owner = await service.beside(({ readModels }) =>
      readModels.get(adminsReadModel, 'platform', adminIdOfEmail(EMAIL)),
    );
    expect(owner?.body).toMatchObject({ role: 'owner', status: 'active' });
  } finally {
    await service.stop();
  }
});

it('makes owners by the command line until there are two, and keeps one of them', async () => {
  const commands = instance.app.get(CommandBus);
  const operator = new ConsoleCaller(stage, instance);
  const make = (email: string) => commands.execute(new CreateAdmin(email, PASSWORD, operator.context()));
  await make('other@pay.example');
  await stage.project();
  await expect(make('third@pay.example')).rejects.toMatchObject({ code: 'second_approval_required' });
  const disable = (email: string) =>
    commands.execute(new DisableAdmin(adminIdOfEmail(email), 'Has left.', operator.context()));
  const outcomes = await Promise.allSettled([disable('other@pay.example'), disable(EMAIL)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = outcomes.find(outcome => outcome.status === 'rejected') as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({ code: 'invalid_state_transition' });
});

it.each([
  [{ BOOTSTRAP_ADMIN_EMAIL: EMAIL }, /BOOTSTRAP_ADMIN_PASSWORD, BOOTSTRAP_ADMIN_TOTP_SEED: required with/],
  [{ ...GIVEN, BOOTSTRAP_ADMIN_TOTP_SEED: 'no seed' }, /BOOTSTRAP_ADMIN_TOTP_SEED: must be base32/],
])('takes the three variables whole', (env, message) => {
  expect(() => loadConfig(env)).toThrow(message);
});
