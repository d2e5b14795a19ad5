import { BUSINESS_LOOKS } from './dashboard/business-looks';
import { PAYMENT_LOOKS } from './dashboard/payment-looks';
import { DEVELOPERS_PAGES } from './dashboard/developers-pages';
import { WALLET_LOOKS } from './dashboard/wallet-rows';
import { ACCOUNT_PAGES } from './dashboard/account-pages';
import type { DashboardStage, PersonBrowser } from './dashboard-stage';

/** A page that is looked at: who looks, and where it is once `arrange` has made what it shows. */
export type LookedAt = {
  /** As OpenAPI writes the route; each page of the dashboard has a row. */
  readonly route: string;
  readonly at: string | ((dashboard: DashboardStage) => Promise<string>);
  /** By default the owner; `nobody` is not signed in, the others are on their way. */
  readonly as?: 'owner' | 'nobody' | 'code' | 'choice' | 'enrolment';
};

/** Every page of the dashboard, one row or more each. */
export const DASHBOARD_PAGES: readonly LookedAt[] = [
  { route: '/dashboard/sign-in', at: '/dashboard/sign-in?ended=session_expired', as: 'nobody' },
  { route: '/dashboard/sign-up', at: '/dashboard/sign-up', as: 'nobody' },
  { route: '/dashboard/reset', at: '/dashboard/reset', as: 'nobody' },
  { route: '/dashboard/open-account', at: '/dashboard/open-account?token=none', as: 'nobody' },
  { route: '/dashboard/new-password', at: '/dashboard/new-password?token=none', as: 'nobody' },
  { route: '/dashboard/invitation', at: ({ invitationOf }) => invitationOf('guest@shop.example'), as: 'nobody' },
  { route: '/dashboard/code', at: '/dashboard/code', as: 'code' },
  { route: '/dashboard/recovery', at: '/dashboard/recovery', as: 'code' },
  { route: '/dashboard/choice', at: '/dashboard/choice', as: 'choice' },
  { route: '/dashboard/enrol', at: '/dashboard/enrol', as: 'enrolment' },
  { route: '/dashboard/{mode}', at: '/dashboard/test' },
  { route: '/dashboard/{mode}', at: '/dashboard/live' },
  { route: '/dashboard/{mode}/security', at: '/dashboard/test/security' },
  ...PAYMENT_LOOKS,
  ...DEVELOPERS_PAGES,
  ...WALLET_LOOKS,
  ...BUSINESS_LOOKS,
  ...ACCOUNT_PAGES,
];

const SESSIONS_LIMIT = 5;
const CODE = /<code>([^<]+)<\/code>/g;

/** The browsers of the table's people, each in its stage of signing in. */
export async function lookers(
  dashboard: DashboardStage,
): Promise<Readonly<Record<NonNullable<LookedAt['as']>, PersonBrowser | null>>> {
  const { owner } = dashboard;
  const code = owner.another();
  await code.startSignIn();
  const choice = await atChoice(dashboard);
  const lost = await dashboard.stranger('lost');
  const made = await lost.sendForm('/dashboard/test/security', '/dashboard/test/security/recovery-codes', {
    code: lost.merchant.nextCode(),
  });
  const enrolment = lost.another();
  await enrolment.startSignIn();
  const [, recovery_code] = [...made.body.matchAll(CODE)][0] ?? [];
  await enrolment.sendForm('/dashboard/recovery', '/dashboard/recovery', { recovery_code });
  return { owner, nobody: null, code, choice, enrolment };
}

/** A person who has signed in once more than sessions may be open, and chooses what to do. */
export async function atChoice(dashboard: DashboardStage): Promise<PersonBrowser> {
  const crowded = await dashboard.stranger('crowded');
  for (let signedIn = 1; signedIn < SESSIONS_LIMIT; signedIn++) await crowded.another().signIn();
  const choice = crowded.another();
  await choice.signIn();
  return choice;
}
