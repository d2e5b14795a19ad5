import type { MailName } from './mail-kinds';
import type { Aggregate } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { OPTIONAL_MAILS, type NotificationsSet, type OptionalMail } from './notifications.events';

/** The kinds of mail that the merchant does not want; none until its first word. */
type Muted = readonly OptionalMail[];
type NotificationsCommand = { readonly type: 'set'; readonly muted: readonly string[] };

function decide({ muted }: NotificationsCommand, state: Muted): readonly NotificationsSet[] {
  const unknown = muted.findIndex(kind => !(OPTIONAL_MAILS as readonly string[]).includes(kind));
  if (unknown >= 0)
    throw refuse('parameter_invalid', { param: `muted[${unknown}]`, message: 'This mail cannot be left out.' });
  // In one order and each once, so that the same kinds are never a change.
  const wanted = OPTIONAL_MAILS.filter(kind => muted.includes(kind));
  return wanted.join() === state.join() ? [] : [{ type: 'NotificationsSet', data: { muted: wanted } }];
}

/** The word by which a merchant does without a mail; null for a mail that is always sent. */
export function optionalKind(kind: MailName): OptionalMail | null {
  // Both ask for a decision on a payment.
  if (kind === 'payment_came_late') return 'payment_inferred';
  return OPTIONAL_MAILS.find(each => each === kind) ?? null;
}

/** The mail that a merchant wants in a mode; the stream's id is the merchant's. */
export const notifications: Aggregate<Muted, NotificationsCommand, NotificationsSet> = {
  category: 'notifications',
  // The stream's id is the merchant's own, so nobody can ask for another merchant's stream.
  notFound: null,
  initial: [],
  restates: true,
  decide,
  evolve: (_, { data }) => data.muted,
};
