import type { LookedAt } from '../dashboard-pages';
import { userIdOfEmail } from '../../../src/modules/users/registration';
import { beginKyb, PDF, PEOPLE, upload, VERIFICATION } from './account-stage';

const INVITED = 'a.colleague.with.a.long.address@corner-shop.example';
const WITHDRAWN = 'withdrawn@shop.example';

/** The pages of the account: settings, people, verification. */
export const ACCOUNT_PAGES: readonly LookedAt[] = [
  { route: '/dashboard/{mode}/settings', at: '/dashboard/test/settings' },
  { route: '/dashboard/{mode}/settings', at: '/dashboard/live/settings' },
  { route: '/dashboard/{mode}/settings/notifications', at: '/dashboard/test/settings/notifications' },
  { route: '/dashboard/{mode}/settings/session-policy', at: '/dashboard/live/settings/session-policy' },
  { route: '/dashboard/{mode}/settings/account', at: '/dashboard/test/settings/account' },
  { route: '/dashboard/{mode}/settings/users', at: PEOPLE },
  { route: '/dashboard/{mode}/settings/users/new', at: `${PEOPLE}/new` },
  {
    route: '/dashboard/{mode}/settings/users/{id}',
    at: async ({ owner }) => {
      const code = owner.merchant.nextCode();
      await owner.sendForm(`${PEOPLE}/new`, `${PEOPLE}/new`, { email: INVITED, role: 'finance', code });
      return `${PEOPLE}/${userIdOfEmail(INVITED)}`;
    },
  },
  {
    route: '/dashboard/{mode}/settings/users/{id}',
    at: async ({ owner, invitationOf }) => {
      await invitationOf(WITHDRAWN);
      const page = `${PEOPLE}/${userIdOfEmail(WITHDRAWN)}`;
      await owner.sendForm(page, `${page}/withdraw`, { code: owner.merchant.nextCode() });
      return page;
    },
  },
  {
    route: '/dashboard/{mode}/settings/users/{id}',
    at: ({ owner }) => Promise.resolve(`${PEOPLE}/${userIdOfEmail(owner.email)}`),
  },
  {
    route: '/dashboard/{mode}/verification',
    at: async dashboard => {
      await beginKyb(dashboard, dashboard.owner);
      await upload(dashboard.owner, { name: 'extract of the register of companies.pdf', bytes: PDF });
      return VERIFICATION;
    },
  },
];
