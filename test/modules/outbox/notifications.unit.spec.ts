import type { DecisionContext } from '../../../src/kernel/decider';
import { isOptional, notifications } from '../../../src/modules/outbox/notifications.decider';
import type { NotificationsSet, OptionalMail } from '../../../src/modules/outbox/notifications.events';
import { MAIL_NAMES } from '../../../web/mail/mail-templates';
import { given } from '../../support/given-when-then';

const owner: DecisionContext = { actor: { role: 'merchant', type: 'user', id: 'usr_1' }, now: 0 };
const set = (...muted: OptionalMail[]): NotificationsSet => ({ type: 'NotificationsSet', data: { muted } });
const setting = (...muted: string[]) => ({ type: 'set', muted }) as const;

describe('the mails that a merchant does without', () => {
  it('are none at first, so leaving out none is no change', () => {
    given(notifications, []).when(setting(), owner).then([]);
  });

  it('are told in one order, each once', () => {
    given(notifications, [])
      .when(setting('payment_inferred', 'transfer_queued', 'payment_inferred'), owner)
      .then([set('transfer_queued', 'payment_inferred')]);
    given(notifications, [set('transfer_queued', 'payment_inferred')])
      .when(setting('payment_inferred', 'transfer_queued'), owner)
      .then([]);
  });

  it('are all wanted again', () => {
    given(notifications, [set('transfer_queued')])
      .when(setting(), owner)
      .then([set()]);
  });

  it.each(MAIL_NAMES.filter(kind => !isOptional(kind)))('are never mails of the kind %s', kind => {
    given(notifications, []).when(setting('transfer_queued', kind), owner).thenRefused('parameter_invalid', 'muted[1]');
  });
});
