import { Text } from '../../../platform/http/fields/text-fields';
import { AnyObject } from '../../../platform/http/fields/value-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  anyObject,
  arrayOf,
  constant,
  flag,
  id,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { ADMIN_PERMISSIONS, ADMIN_ROLES, type AdminPermission } from '../../../vocabulary/admin-roles';
import { SESSION_STAGES, SIGN_IN_METHODS } from '../../sessions/signed-in';
import { MAX_PASSWORD_LENGTH } from '../../users/password';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '../../users/registration';

const MAX_CODE = 40;
const MAX_TOKEN = 100;
const PERMISSIONS = Object.keys(ADMIN_PERMISSIONS) as readonly AdminPermission[];

export class PasswordDto {
  @Text({ max: MAX_EMAIL_LENGTH })
  email!: string;

  @Text({ max: MAX_PASSWORD_LENGTH })
  password!: string;
}

export class CodeDto {
  @Text({ max: MAX_CODE })
  code!: string;
}

export class CredentialDto {
  @AnyObject('passkey_malformed')
  credential!: object;
}

export class NewPasskeyDto extends CredentialDto {
  @Text({ max: MAX_NAME_LENGTH })
  name!: string;
}

export class NewPasswordDto {
  @Text({ max: MAX_PASSWORD_LENGTH })
  present_password!: string;

  @Text({ max: MAX_PASSWORD_LENGTH })
  password!: string;
}

export class ResetRequestDto {
  @Text({ max: MAX_EMAIL_LENGTH })
  email!: string;
}

export class ResetDto {
  @Text({ max: MAX_TOKEN })
  token!: string;

  @Text({ max: MAX_PASSWORD_LENGTH })
  password!: string;
}

export class InvitationDto extends ResetDto {
  @Text({ max: MAX_NAME_LENGTH })
  name!: string;
}

const STEP = {
  object: constant('admin_session'),
  id: id('ses'),
  stage: oneOfTexts(SESSION_STAGES, 'The step that the session stands at; full: signed in'),
  csrf_token: text('The token that each write of the session sends along'),
  expires_at: timestamp(),
};

const ADMIN_STEP = resource('admin_step', 'A session after a step of the sign-in; the cookie comes beside it', STEP);
/** A first authenticator's step, with recovery codes that are shown this once. */
export const ADMIN_ENROLMENT = resource('admin_enrolment', 'A session after its enrolment', {
  ...STEP,
  recovery_codes: arrayOf(text()),
});
const ADMIN_SESSION = resource('admin_session', 'The session of the request', {
  ...STEP,
  admin: record({ id: id('adm'), email: text(), name: text(), role: oneOfTexts(ADMIN_ROLES) }),
  permissions: nullable(arrayOf(oneOfTexts(PERMISSIONS))),
});

export type AdminStepResource = Answer<typeof ADMIN_STEP>;
export type AdminSessionResource = Answer<typeof ADMIN_SESSION>;

const OWN_SESSION = record({
  id: id('ses'),
  method: oneOfTexts(SIGN_IN_METHODS),
  ip: nullable(text()),
  user_agent: text(),
  current: flag('The session of the request'),
  created: timestamp(),
  last_used_at: timestamp('Written once a minute at most'),
  expires_at: timestamp(),
});
const OWN_SESSIONS = resource('own_sessions', 'The sessions that are open', { data: arrayOf(OWN_SESSION) });

const CODE = ['mfa_proof_invalid', 'rate_limit', 'admin_totp_secret_invalid'] as const;
const OF_PASSKEY = ['passkeys_not_configured', 'passkey_malformed', 'passkey_rejected'] as const;
export const PASSKEY_OPTIONS = anyObject('The options of the browser’s own call, with a challenge');

/** Steps answer a session. A step that goes wrong leaves the session as it was. */
export const ADMIN_SESSION_OPERATIONS = {
  start: {
    id: 'startAdminSession',
    summary: 'Sign in by address and password',
    answer: ADMIN_STEP,
    refuses: ['invalid_credentials', 'account_disabled', 'rate_limit'],
  },
  confirm: {
    id: 'confirmAdminSession',
    summary: 'Show the one-time code of a sign-in',
    answer: ADMIN_STEP,
    refuses: CODE,
  },
  recover: {
    id: 'recoverAdminSession',
    summary: 'Show a recovery code in place of a one-time code',
    answer: ADMIN_STEP,
    refuses: ['mfa_proof_invalid', 'rate_limit'],
  },
  endOldest: {
    id: 'endOldestAdminSession',
    summary: 'End the oldest session, so that a new one has a place',
    answer: ADMIN_STEP,
    refuses: [],
  },
  offerPasskey: {
    id: 'offerAdminPasskeySignIn',
    summary: 'Begin a sign-in by a passkey',
    answer: PASSKEY_OPTIONS,
    refuses: ['passkeys_not_configured', 'passkey_challenges_full'],
  },
  passkey: {
    id: 'signInAdminByPasskey',
    summary: 'Sign in by a passkey',
    answer: ADMIN_STEP,
    refuses: [...OF_PASSKEY, 'account_disabled', 'rate_limit'],
  },
  show: {
    id: 'getAdminSession',
    summary: 'Retrieve the session and the token of its writes',
    answer: ADMIN_SESSION,
    refuses: [],
  },
  stepUp: { id: 'stepUpAdminSession', summary: 'Show a fresh one-time code', answer: ADMIN_STEP, refuses: CODE },
  signOut: { id: 'endAdminSession', summary: 'Sign out', answer: null, refuses: [] },
  list: { id: 'listAdminSessions', summary: 'List the own sessions', answer: OWN_SESSIONS, refuses: [] },
  endOne: {
    id: 'endOneAdminSession',
    summary: 'End one of the own sessions',
    answer: null,
    refuses: ['unknown_session'],
  },
} as const satisfies OperationTable;
