import { merchants } from '../../../src/modules/merchants/merchant.decider';
import type { AccountLetter } from '../../../src/modules/users/account-mail';
import { OutboxAccountMail } from '../../../src/processes/notices/account-mail';
import { Outbox, OUTBOX_COLLECTION, type OutboxDocument } from '../../../src/processes/notices/outbox';
import { IdentityFixture, MERCHANT } from '../../modules/merchants/identity-fixture';

const DASHBOARD = 'https://dash.example/dashboard';
const link = { token: 'T0ken', expiresAt: '2026-11-02T12:00:00.000Z' };

it.each<[AccountLetter, string, RegExp]>([
  [
    { kind: 'sign_up_link', ...link },
    'Open your account',
    /^https:\/\/dash.example\/dashboard\/open-account\?token=T0ken$/m,
  ],
  [
    { kind: 'reset_link', ...link },
    'Set a new password',
    /^https:\/\/dash.example\/dashboard\/new-password\?token=T0ken$/m,
  ],
  [{ kind: 'account_exists' }, 'You have an account already', /https:\/\/dash.example\/dashboard\/sign-in$/m],
  [
    { kind: 'invitation', merchantId: MERCHANT, role: 'finance', ...link },
    'Invitation to the account of Tea House',
    /Tea House, as finance[^]*^https:\/\/dash.example\/dashboard\/invitation\?token=T0ken$/m,
  ],
])('puts %o into the outbox once', async (letter, subject, text) => {
  const fixture = new IdentityFixture();
  const register = { type: 'register', name: 'Tea House', email: 'owner@tea.example' } as const;
  await fixture.writePath.execute(merchants, MERCHANT, register, fixture.context('platform'));
  const outbox = new Outbox(await fixture.documents.open<OutboxDocument>(OUTBOX_COLLECTION));
  const mail = new OutboxAccountMail(outbox, fixture, DASHBOARD, fixture);
  await mail.put('mail-1', 'ada@example.com', letter);
  await mail.put('mail-1', 'ada@example.com', letter);
  const queued = await outbox.due(fixture.nowMs, 10);
  expect(queued).toHaveLength(1);
  expect(queued[0]?.body).toMatchObject({ to: 'ada@example.com', subject });
  expect(queued[0]?.body.text).toMatch(text);
});
