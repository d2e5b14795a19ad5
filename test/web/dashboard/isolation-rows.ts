import { userIdOfEmail } from '../../../src/modules/users/registration';
import type { DashboardStage } from '../dashboard-stage';
import { BUSINESS_ISOLATION } from './business-isolation';
import { PasskeyHolder } from './passkey-holder';
import { PAYMENT_ISOLATION } from './payment-isolation';
import { DEVELOPERS_ISOLATION } from './developers-pages';
import { WALLET_ISOLATION } from './wallet-rows';
import { beginKyb, firstDocument, PDF, upload } from './account-stage';

/** A page or a form that names an object. */
export type IsolationRow = {
  readonly method: 'GET' | 'POST';
  /** The route as OpenAPI writes it, with the object's id as `{id}`; the mode is `test`. */
  readonly route: string;
  /** The id of an object of the stage's owner, in test mode. */
  readonly object: (dashboard: DashboardStage) => Promise<string>;
  /** An id of the same form that nobody has. */
  readonly unknown: string;
  /** The fields of a form, beside its id, its token and its code. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The status of an object that there is not; 404 by default. */
  readonly status?: number;
  /** The object is of the account, and so of both modes. */
  readonly isOfAccount?: true;
  /** The form asks for a one-time code. */
  readonly asksCode?: true;
  /** The page that the form stands on, for a stranger; by default the security page, which has all hidden fields. */
  readonly from?: string;
};

const NOBODY = 'usr_00000000000000000000000000';

/** The owner is a person of the account, and nobody for another account. */
const person = {
  object: ({ owner }: DashboardStage) => Promise.resolve(userIdOfEmail(owner.email)),
  unknown: NOBODY,
  isOfAccount: true,
} as const;
const personForm = (action: string, fields: Readonly<Record<string, string>> = {}): IsolationRow => ({
  ...{ ...person, method: 'POST', route: `/dashboard/{mode}/settings/users/{id}/${action}`, fields, asksCode: true },
});

/** Both accounts have a case of their own, and the owner's has a document. */
const kybDocument = {
  object: async (dashboard: DashboardStage) => {
    const { owner } = dashboard;
    await beginKyb(dashboard, owner);
    await upload(owner, { name: 'extract.pdf', bytes: PDF });
    return firstDocument(owner);
  },
  unknown: 'kdoc_00000000000000000000000000',
  isOfAccount: true,
} as const;

const ownPasskey = async (dashboard: DashboardStage): Promise<string> =>
  (await new PasskeyHolder(dashboard).add('Laptop')).id;

/** Every page and form of the dashboard that names an object: a route without a row fails the test. */
export const ISOLATION_ROWS: readonly IsolationRow[] = [
  {
    method: 'POST',
    route: '/dashboard/{mode}/security/sessions/{id}/sign-out',
    object: async ({ owner }) => {
      await owner.another().signIn();
      const { body } = await owner.open('/dashboard/test/security');
      return /security\/sessions\/(ses_\w+)\/sign-out/.exec(body)?.[1] ?? '';
    },
    unknown: 'ses_00000000000000000000000000',
    status: 401,
    isOfAccount: true,
  },
  {
    method: 'POST',
    route: '/dashboard/{mode}/security/passkeys/{id}/remove',
    object: ownPasskey,
    unknown: 'psk_00000000000000000000000000',
    isOfAccount: true,
  },
  ...PAYMENT_ISOLATION,
  ...DEVELOPERS_ISOLATION,
  ...WALLET_ISOLATION,
  ...BUSINESS_ISOLATION,
  { ...person, method: 'GET', route: '/dashboard/{mode}/settings/users/{id}' },
  personForm('invite', { role: 'viewer' }),
  personForm('withdraw'),
  personForm('role', { role: 'viewer' }),
  personForm('disable'),
  personForm('enable'),
  { ...kybDocument, method: 'GET', route: '/dashboard/{mode}/verification/documents/{id}' },
  { ...kybDocument, method: 'POST', route: '/dashboard/{mode}/verification/documents/{id}/remove' },
];
