import { generateSync } from 'otplib';
import {
  ChangePassword,
  EnrolTotp,
  MakeRecoveryCodes,
  OfferTotp,
  UseRecoveryCode,
} from '../../../src/modules/users/commands/own-account.command';
import { AskForReset, ResetPassword } from '../../../src/modules/users/commands/sign-up.command';
import { START_OF_LOG } from '../../../src/kernel/ports/event-store';
import { member, NEXT_PASSWORD, openedAccount, openSession, OWNER, PASSWORD, PeopleFixture } from './people-fixture';

it('keeps no password, token, secret or code of people in clear (ASVS 6.5.2)', async () => {
  const people = await PeopleFixture.open();
  const { fixture } = people;
  const written = fixture.recordDocuments();
  const { merchantId, userId } = await openedAccount(people);
  await member(people, merchantId, 'books@example.com', 'finance');
  const by = () => fixture.by(merchantId, userId);
  const { secret } = await people.offerTotp.execute(new OfferTotp({ userId, sessionId: 'ses_1' }, 'Tea House', by()));
  const code = generateSync({ secret, epoch: fixture.nowMs / 1_000 });
  const { recoveryCodes } = await people.enrolTotp.execute(new EnrolTotp({ userId, sessionId: 'ses_1' }, code, by()));
  await people.useRecoveryCode.execute(new UseRecoveryCode(userId, recoveryCodes[0] ?? '', by()));
  const made = await people.makeRecoveryCodes.execute(new MakeRecoveryCodes(userId, by()));
  await people.changePassword.execute(new ChangePassword(openSession(userId, 'ses_1'), PASSWORD, NEXT_PASSWORD, by()));
  await people.askForReset.execute(new AskForReset(OWNER, fixture.stranger()));
  await people.resetPassword.execute(
    new ResetPassword(fixture.tokenTo(OWNER), 'third lighthouse 9', fixture.stranger()),
  );

  const events: string[] = [];
  for await (const batch of fixture.store.subscribe('all', START_OF_LOG, AbortSignal.timeout(5_000))) {
    events.push(...batch.events.map(event => JSON.stringify(event)));
    if (batch.live) break;
  }
  const texts = [...events, ...written];
  const tokens = fixture.sent.flatMap(({ letter }) => ('token' in letter ? [letter.token] : []));
  const codes = [...recoveryCodes, ...made.recoveryCodes];
  const canaries = [PASSWORD, NEXT_PASSWORD, 'third lighthouse 9', secret, ...tokens, ...codes];
  expect([tokens.length, codes.length, events.length > 8, written.length > 10]).toEqual([3, 20, true, true]);
  for (const canary of [...canaries, ...codes.map(each => each.replaceAll('-', ''))])
    expect(texts.filter(text => text.includes(canary))).toEqual([]);
});
