import type { DecisionContext } from '../../../src/kernel/decider';
import { notifications, optionalKind } from '../../../src/modules/outbox/notifications.decider';
import {
  OPTIONAL_MAILS,
  type NotificationsSet,
  type OptionalMail,
} from '../../../src/modules/outbox/notifications.events';
import { given } from '../../support/given-when-then';
import { SAMPLE_MAILS } from '../../web/mail-samples';

const owner: DecisionContext = { actor: { role: 'merchant', type: 'user', id: 'usr_1' }, now: 0 };
const set = (...muted: OptionalMail[]): NotificationsSet => ({ type: 'NotificationsSet', data: { muted } });
const KINDS = SAMPLE_MAILS.map(({ kind }) => kind);
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

  it.each(KINDS.filter(kind => !(OPTIONAL_MAILS as readonly string[]).includes(kind)))(
    'are never mails of the kind %s',
    kind => {
      given(notifications, [])
        .when(setting('transfer_queued', kind), owner)
        .thenRefused('parameter_invalid', 'muted[1]');
    },
  );

  it('have one word for both mails that ask for a decision on a payment', () => {
    const asking = KINDS.filter(kind => optionalKind(kind) === 'payment_inferred');
    expect([...asking].sort()).toEqual(['payment_came_late', 'payment_inferred']);
  });
});
