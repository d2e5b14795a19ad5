import { routesOfController } from '../../../src/platform/http/openapi-routes';
import { ACTION_PAGES } from '../../../web/console/actions/action.controllers';
import type { AdminBrowser, ConsoleStage } from '../console-stage';
import type { AnsweredPage } from '../readable-pages';
import type { StagedConsole } from './staged-console';
import { SYSTEM_ROWS } from './system-rows';

/** A page that is looked at, and who looks: by default the owner. `nobody` is not signed in. */
export type LookedAt = {
  /** As OpenAPI writes the route; each page of the console has a row. */
  readonly route: string;
  readonly at: string | ((staged: StagedConsole, stage: ConsoleStage) => string | Promise<string>);
  readonly as?: 'owner' | 'viewer' | 'compliance' | 'nobody' | 'code' | 'choice' | 'enrolment';
};

const ACTIONS: readonly LookedAt[] = ACTION_PAGES.flatMap(routesOfController)
  .filter(({ method }) => method === 'get')
  .map(({ path }) => ({ route: path, at: `${path}?target=none` }));

/** Every page of the console, one row or more each. */
export const CONSOLE_PAGES: readonly LookedAt[] = [
  { route: '/console/sign-in', at: '/console/sign-in?ended=session_expired', as: 'nobody' },
  { route: '/console/reset', at: '/console/reset', as: 'nobody' },
  { route: '/console/new-password', at: '/console/new-password?token=none', as: 'nobody' },
  {
    ...{ route: '/console/invitation', as: 'nobody' },
    at: (_, stage) => stage.invitationOf('guest@operator.example'),
  },
  { route: '/console/code', at: '/console/code', as: 'code' },
  { route: '/console/recovery', at: '/console/recovery', as: 'code' },
  { route: '/console/choice', at: '/console/choice', as: 'choice' },
  { route: '/console/enrol', at: '/console/enrol', as: 'enrolment' },
  { route: '/console', at: '/console' },
  { route: '/console', at: '/console', as: 'viewer' },
  { route: '/console/security', at: '/console/security' },
  { route: '/console/approvals', at: '/console/approvals' },
  { route: '/console/approvals', at: '/console/approvals?status=denied' },
  { route: '/console/approvals/{id}', at: ({ approval }) => `/console/approvals/${approval}` },
  { route: '/console/approvals/{id}', at: ({ approval }) => `/console/approvals/${approval}`, as: 'compliance' },
  { route: '/console/kyb', at: '/console/kyb' },
  { route: '/console/kyb', at: '/console/kyb?status=approved' },
  { route: '/console/kyb/{id}', at: ({ kybCase }) => `/console/kyb/${kybCase}` },
  { route: '/console/holds', at: '/console/holds' },
  { route: '/console/holds/{id}', at: ({ hold }) => `/console/holds/${hold}` },
  { route: '/console/reviews', at: '/console/reviews' },
  { route: '/console/reviews/{id}', at: ({ review }) => `/console/reviews/${review}` },
  { route: '/console/transfers', at: '/console/transfers' },
  { route: '/console/transfers/{id}', at: ({ transfer }) => `/console/transfers/${transfer}` },
  { route: '/console/claims', at: '/console/claims' },
  { route: '/console/claims/{id}', at: ({ claim }) => `/console/claims/${claim}` },
  { route: '/console/merchants', at: '/console/merchants' },
  { route: '/console/merchants/{id}', at: ({ merchant }) => `/console/merchants/${merchant.id}` },
  { route: '/console/switches', at: '/console/switches' },
  { route: '/console/switches/{id}', at: '/console/switches/network:tron' },
  { route: '/console/controls', at: '/console/controls' },
  { route: '/console/controls/geo', at: '/console/controls/geo' },
  { route: '/console/controls/screening', at: '/console/controls/screening' },
  { route: '/console/sanctions', at: '/console/sanctions' },
  { route: '/console/fees', at: '/console/fees' },
  { route: '/console/fees/adjustments', at: '/console/fees/adjustments?kind=accrual' },
  { route: '/console/fees/invoices', at: '/console/fees/invoices' },
  { route: '/console/fees/invoices/{id}', at: ({ feeInvoice }) => `/console/fees/invoices/${feeInvoice}` },
  { route: '/console/admins', at: '/console/admins' },
  {
    ...{ route: '/console/admins/{id}', as: 'viewer' },
    at: async (_, stage) => `/console/admins/${(await stage.admin('owner')).id}`,
  },
  ...ACTIONS,
  ...SYSTEM_ROWS,
];

const SESSIONS_LIMIT = 5;

/** The browsers of the table's people, each in its stage of signing in. */
export async function lookers(stage: ConsoleStage) {
  const owner = await stage.admin('owner');
  const code = owner.another();
  await code.startSignIn();
  const crowded = await stage.admin('viewer', 'crowded');
  for (let signedIn = 1; signedIn < SESSIONS_LIMIT; signedIn++) await crowded.another().signIn();
  const choice = crowded.another();
  await choice.signIn();
  const enrolment = await stage.invited('viewer', 'newcomer');
  await enrolment.startSignIn();
  const [viewer, compliance] = [await stage.admin('viewer'), await stage.admin('compliance')];
  const all: Readonly<Record<NonNullable<LookedAt['as']>, AdminBrowser | null>> = {
    ...{ owner, viewer, compliance, code, choice, enrolment },
    nobody: null,
  };
  return all;
}

const SUSPEND = '/console/actions/suspend-merchant';
const SECURITY = '/console/security';
const WRONG = '000000';

/** Pages that answer forms: previews, secrets shown once, and refused forms. */
export async function answeredPages(
  stage: ConsoleStage,
  { merchant, approval }: StagedConsole,
): Promise<readonly AnsweredPage[]> {
  const [owner, compliance] = [await stage.admin('owner'), await stage.admin('compliance')];
  const answer = async (by: AdminBrowser, name: string, page: string, path: string, fields: object) => {
    const { body } = await by.sendForm(page, path, fields);
    return { name, at: page, body };
  };
  const reason = 'Complaints.';
  const paid = { target: merchant.id, reason };
  const approve = `/console/approvals/${approval}/approve`;
  return [
    await answer(owner, 'a preview', SUSPEND, `${SUSPEND}/preview`, paid),
    await answer(owner, 'a refused field', SUSPEND, `${SUSPEND}/preview`, { ...paid, reason: '' }),
    await answer(owner, 'a refused object', SUSPEND, `${SUSPEND}/preview`, { target: 'mch_none', reason }),
    await answer(compliance, 'a refused approval', `/console/approvals/${approval}`, approve, {
      note: '',
      code: WRONG,
    }),
    await answer(owner, 'another authenticator', SECURITY, `${SECURITY}/authenticator`, { code: owner.code() }),
    await answer(owner, 'recovery codes', SECURITY, `${SECURITY}/recovery-codes`, { code: owner.code() }),
    await answer(owner, 'no page', SECURITY, '/console/nowhere', {}),
  ];
}
