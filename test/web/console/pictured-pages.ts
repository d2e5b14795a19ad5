import type { AnsweredPage } from '../readable-pages';
import type { LookedAt } from './console-pages';
import type { StagedConsole } from './staged-console';

/** A page by its address, and the person who looks at it: by default the owner. `body`: the answer of a form. */
type Pictured = { readonly at: string; readonly as?: NonNullable<LookedAt['as']>; readonly body?: string };

/** The names of the pictures, each of another kind of page. */
export const PICTURED = [
  'sign in',
  'home',
  'approvals',
  'an approval to decide',
  'an own approval',
  'an action',
  'a preview',
  'a refused field',
  'security',
  'holds',
  'a hold',
  'a case',
  'an unmatched transfer',
  'a named transaction',
  'a merchant',
  'switches',
  'velocity limits',
  'sanctioned addresses',
  'fee invoices',
  'administrators',
  'coverage',
  'a network at fault',
  'health',
  'read models',
  'limits',
  'parked messages',
  'the audit log',
  'an entry that changed something',
  'a stream as of an event',
] as const;
type PictureName = (typeof PICTURED)[number];

export function picturedPages(
  { approval, hold, kybCase, transfer, merchant, claim }: StagedConsole,
  answers: readonly AnsweredPage[],
): Readonly<Record<PictureName, Pictured>> {
  const answered = (wanted: string): Pictured => {
    const found = answers.find(({ name }) => name === wanted);
    if (!found) throw new Error(`no form has answered ${wanted}`);
    return { at: found.at, body: found.body };
  };
  return {
    'sign in': { at: '/console/sign-in', as: 'nobody' },
    home: { at: '/console' },
    approvals: { at: '/console/approvals' },
    'an approval to decide': { at: `/console/approvals/${approval}`, as: 'compliance' },
    'an own approval': { at: `/console/approvals/${approval}` },
    'an action': { at: `/console/actions/release-hold?target=${hold}` },
    'a preview': answered('a preview'),
    'a refused field': answered('a refused field'),
    security: { at: '/console/security' },
    holds: { at: '/console/holds' },
    'a hold': { at: `/console/holds/${hold}` },
    'a case': { at: `/console/kyb/${kybCase}` },
    'a named transaction': { at: `/console/claims/${claim}` },
    'an unmatched transfer': { at: `/console/transfers/${transfer}` },
    'a merchant': { at: `/console/merchants/${merchant.id}` },
    switches: { at: '/console/switches' },
    'velocity limits': { at: '/console/controls' },
    'sanctioned addresses': { at: '/console/sanctions' },
    'fee invoices': { at: '/console/fees/invoices' },
    administrators: { at: '/console/admins' },
    coverage: answered('coverage'),
    'a network at fault': answered('a network at fault'),
    health: answered('health'),
    'read models': answered('read models'),
    limits: answered('limits'),
    'parked messages': answered('parked messages'),
    'the audit log': answered('the audit log'),
    'an entry that changed something': answered('an entry that changed something'),
    'a stream as of an event': answered('a stream as of an event'),
  };
}
