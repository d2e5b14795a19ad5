import type { OperationTable } from '../../../platform/http/openapi-operation';
import { arrayOf, id, nullable, record, resource, text, timestamp, url } from '../../../platform/http/openapi-schema';
import { ADMIN_ENROLMENT, PASSKEY_OPTIONS } from './admin-session.contract';

const OFFER = resource('authenticator_offer', 'A secret that counts once a code of it was shown', {
  secret: text('Base32, as an authenticator takes it'),
  uri: url('The same, to be scanned', 'otpauth://totp/Quittance:ada%40example.com?secret=ABC&issuer=Quittance'),
});

const RECOVERY_CODES = resource('recovery_codes', 'Ten codes, which are shown this once', {
  recovery_codes: arrayOf(text()),
});

const PASSKEY = record({
  id: id('psk'),
  name: text('The name that its owner has given', 'Laptop'),
  created: timestamp(),
  last_used_at: nullable(timestamp()),
});

const NEW_PASSWORD = ['parameter_invalid', 'rate_limit'] as const;
const ENROLLING = ['mfa_proof_invalid', 'invalid_totp_secret', 'rate_limit'] as const;

export const ADMIN_ACCOUNT_OPERATIONS = {
  accept: { id: 'acceptAdminInvitation', summary: 'Take an invitation', answer: null, refuses: NEW_PASSWORD },
  askForReset: {
    id: 'askForAdminReset',
    summary: 'Ask for the mail of a new password',
    answer: null,
    refuses: ['rate_limit'],
  },
  reset: {
    id: 'resetAdminPassword',
    summary: 'Set a new password by a mailed link',
    answer: null,
    refuses: NEW_PASSWORD,
  },
  changePassword: {
    id: 'changeAdminPassword',
    summary: 'Change the own password',
    answer: null,
    refuses: [...NEW_PASSWORD, 'invalid_password'],
  },
  offer: {
    id: 'offerAdminAuthenticator',
    summary: 'Begin to enrol an authenticator',
    answer: OFFER,
    refuses: ['invalid_otpauth_label'],
  },
  enrol: {
    id: 'enrolAdminAuthenticator',
    summary: 'Enrol an authenticator by its first code',
    answer: ADMIN_ENROLMENT,
    refuses: ENROLLING,
  },
  offerReplacement: {
    id: 'offerAdminReplacement',
    summary: 'Begin to replace the authenticator',
    answer: OFFER,
    refuses: ['invalid_otpauth_label'],
  },
  replace: {
    id: 'replaceAdminAuthenticator',
    summary: 'Replace the authenticator by the first code of the new one',
    answer: null,
    refuses: ENROLLING,
  },
  makeRecoveryCodes: {
    id: 'makeAdminRecoveryCodes',
    summary: 'Make new recovery codes',
    answer: RECOVERY_CODES,
    refuses: [],
  },
  passkeys: {
    id: 'listAdminPasskeys',
    summary: 'List the own passkeys',
    answer: resource('own_passkeys', 'The passkeys, the oldest first', { data: arrayOf(PASSKEY) }),
    refuses: [],
  },
  offerPasskey: {
    id: 'offerAdminPasskey',
    summary: 'Begin to add a passkey',
    answer: PASSKEY_OPTIONS,
    refuses: ['passkeys_not_configured', 'passkey_challenges_full'],
  },
  addPasskey: {
    id: 'addAdminPasskey',
    summary: 'Add a passkey',
    answer: resource('added_passkey', 'The new passkey', { id: id('psk') }),
    refuses: [
      'passkeys_not_configured', 'passkey_malformed', 'passkey_rejected', 'passkey_already_registered',
      'too_many_passkeys', 'parameter_invalid',
    ],
  },
  removePasskey: {
    id: 'removeAdminPasskey',
    summary: 'Remove a passkey',
    answer: null,
    refuses: ['unknown_passkey'],
  },
} as const satisfies OperationTable; // prettier-ignore
