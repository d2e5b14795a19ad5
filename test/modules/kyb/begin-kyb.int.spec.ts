import type { CommandBus } from '@nestjs/cqrs';
import { killSwitchesReadModel } from '../../../src/modules/kill-switches/kill-switches.read-model';
import type { SetKillSwitch } from '../../../src/modules/kill-switches/kill-switch.command';
import {
  LiftKillSwitch,
  LiftKillSwitchHandler,
  SetKillSwitchHandler,
} from '../../../src/modules/kill-switches/kill-switch.command';
import {
  BeginKyb,
  BeginKybHandler,
  KYB_STOP,
  SubmitKybCase,
  SubmitKybCaseHandler,
} from '../../../src/modules/kyb/commands/kyb-case.command';
import { loadCurrentCase } from '../../../src/modules/kyb/current-case';
import { kybCases } from '../../../src/modules/kyb/kyb-case.decider';
import { merchants } from '../../../src/modules/merchants/merchant.decider';
import { IdentityFixture, MERCHANT } from '../merchants/identity-fixture';

class Crash extends Error {}

let fixture: IdentityFixture;
/** The appends until the process dies. */
let appendsLeft: number;

beforeEach(async () => {
  fixture = new IdentityFixture();
  appendsLeft = Infinity;
  await fixture.writePath.execute(
    merchants,
    MERCHANT,
    { type: 'register', name: 'Tea House', email: 'owner@tea.example' },
    context('register'),
  );
});

const context = (commandId: string) => ({ ...fixture.context('platform', MERCHANT), commandId });

/** Each append of the commands counts as one step, after which the process may die. */
const commands = {
  execute: async (command: BeginKyb | SetKillSwitch | LiftKillSwitch) => {
    const { writePath } = fixture;
    if (command instanceof BeginKyb)
      return new BeginKybHandler(writePath, commands, fixture.secretBox).execute(command);
    if (command instanceof LiftKillSwitch) return new LiftKillSwitchHandler(writePath).execute(command);
    await new SetKillSwitchHandler(writePath, fixture).execute(command);
    if (--appendsLeft === 0) throw new Crash();
    return undefined;
  },
} as unknown as CommandBus;

const open = (commandId: string) => commands.execute(new BeginKyb(context(commandId)));
const stops = async () =>
  (await fixture.get(killSwitchesReadModel, 'platform', `merchant:${MERCHANT}`))?.body.stops ?? [];
const kybCase = () => loadCurrentCase(fixture.writePath, fixture.secretBox, MERCHANT);

it('stops live mode of a new account, and opens its case', async () => {
  await open('sign-up');
  expect(await stops()).toEqual([expect.objectContaining({ mode: 'live', ground: 'kyb', reason: 'kyb' })]);
  expect((await kybCase()).current.state).toMatchObject({ status: 'open', documents: [] });
});

it.each([
  ['the same command', 'sign-up'],
  ['another use of the link', 'sign-up-again'],
])('goes on after a crash, by %s, and makes nothing twice', async (_, again) => {
  appendsLeft = 1;
  await expect(open('sign-up')).rejects.toThrow(Crash);
  // The stop comes first: an account without a case takes no live payments.
  expect(await stops()).toHaveLength(1);
  expect((await kybCase()).current.state.status).toBe('none');
  for (let repeats = 0; repeats < 2; repeats++) await open(again);
  const { id, current } = await kybCase();
  expect(current.state.status).toBe('open');
  expect(await fixture.eventTypes('platform', 'kyb_case', id)).toEqual(['KybCaseOpened']);
  expect(await fixture.eventTypes('platform', 'kill_switch', `merchant:${MERCHANT}`)).toEqual(['KillSwitchSet']);
});

it('stops no account again that was verified since', async () => {
  await open('sign-up');
  const { id } = await kybCase();
  const business = {
    ...{ legal_name: 'Tea House', country: 'FR', registration_number: '1', address: 'Paris', website: null },
  };
  const file = { name: 'a.pdf', type: 'application/pdf', size: 1, sha256: '00' } as const;
  const document = { id: 'kdoc_1', kind: 'other', ...file } as const;
  await fixture.writePath.execute(kybCases, id, { type: 'add_document', document }, context('add'));
  const owners = [{ name: 'Ada', country: 'FR', share_bps: 10_000 }];
  const submit = new SubmitKybCase(business, owners, context('submit'));
  await new SubmitKybCaseHandler(fixture.writePath, fixture.secretBox).execute(submit);
  await fixture.writePath.execute(kybCases, id, { type: 'approve', note: 'fine' }, context('approve'));
  await commands.execute(new LiftKillSwitch('merchant', MERCHANT, KYB_STOP, 'kyb', context('lift')));
  await open('sign-up');
  expect(await stops()).toEqual([]);
});
