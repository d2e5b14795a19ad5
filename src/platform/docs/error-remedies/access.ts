/** Keys, sessions, one-time codes, passkeys and permissions. */
export const ACCESS_REMEDIES = {
  authentication_required:
    'Add the header `Authorization: Bearer <key>` with a secret or restricted key of the mode you want.',
  invalid_authorization_header:
    'Write `Bearer`, one space and the key, without quotes or a line break. Take the key out of the query string; if it was sent there, roll it.',
  invalid_api_key:
    "Copy the whole key again and compare its prefix with the mode you are after. A mistyped key fails its checksum. The sandbox's address takes test keys only.",
  api_key_revoked: 'Make another key in the dashboard or with POST /v1/api_keys and deploy that one.',
  api_key_expired: 'Deploy the successor that rotating answered with. If it is lost, make a new key.',
  invalid_credentials:
    'Enter e-mail address, password and code again; the answer does not tell which of them was wrong.',
  invalid_password: 'Enter the password again, or have it reset.',
  account_disabled:
    'Write to support with the id of a refused request. No key of this account works before support has answered.',
  admin_session_required: 'Sign in to the console. Merchant keys never reach what lies below /admin.',
  unknown_session: 'Drop the cookie and sign in.',
  session_expired: 'Sign in again. Activity lengthens the idle time, never the whole life of a session.',
  session_revoked: 'Sign in again, if it was you who signed the device out; otherwise change your password first.',
  passkeys_not_configured: 'Sign in with password and one-time code, or have the operator configure the relying party.',
  passkey_malformed: "Send what the browser's credential call returned, unchanged.",
  passkey_rejected:
    'Read detail.reason: start over for a stale challenge, allow user verification, or enrol an authenticator with a supported algorithm.',
  passkey_already_registered: 'Use this authenticator as it is, or enrol another one.',
  too_many_passkeys: 'Remove a passkey that you no longer use, then enrol this one.',
  unknown_passkey: 'List your passkeys and use an id from there.',
  session_ip_mismatch: 'Sign in from the network you are on now, or have pinning switched off in the settings.',
  too_many_sessions: 'End one of the other sessions, in the dashboard, and sign in again.',
  mfa_required:
    'Send the call again with `Mfa-Code: 123456` from your authenticator app, or with an `Mfa-Proof` made for this action.',
  mfa_reverification_required: 'Ask for a proof of exactly this action and use it once.',
  mfa_proof_invalid:
    'Wait for the next code of the app; each is good for one use. If it keeps failing, set the clock of the device.',
  mfa_proof_stale: 'Make a new proof right before the call; one lives for five minutes.',
  mfa_method_unsupported: 'Give `totp` as the method.',
  insufficient_scope:
    'Look up which scope the operation needs and call it with a key that has it. A write scope brings the read scope along.',
  permission_denied:
    'Ask a colleague whose role has this permission, or an owner to change yours. ' +
    'Send a form from the page that shows it. A key does no more than its maker: have an owner make another one.',
  publishable_scope_forbidden: 'Make the call from your server with a secret or restricted key.',
  publishable_key_not_permitted: 'Read this from your server with a secret or restricted key.',
  forbidden_actor: 'Leave this step to the part of the service, or the person, that it belongs to.',
  invalid_actor: 'Name one of api, checkout, matcher, watcher, sweeper, merchant, admin or compliance.',
  actor_missing: 'Make the call within the session of a user or an administrator.',
  missing_principal: 'Report the request id: a route was reached past its authentication.',
  role_may_propose_only: 'Propose the action and let a colleague with an approving role decide.',
  self_approval_forbidden: 'Have another administrator approve what you proposed.',
  second_approval_not_required: 'Send the action itself, without an approval.',
  executor_not_party: 'Have the proposer or the approver send the request.',
  action_not_approved: 'Wait until another administrator has approved, then send the request again.',
  second_approval_required:
    'POST /admin/approvals, have a different administrator approve it, and send the request again with approval_id.',
  unknown_approval: 'Send exactly the body and target that were approved, or propose the new ones.',
  action_in_flight: 'Wait for the execution under way. If it fails, the same approval can be used again.',
  action_not_pending: 'Look the action up; propose a new one if it is still wanted.',
  action_expired: 'Propose it again and carry it out within 24 hours of the approval.',
  unknown_action: 'Reload the list of open approvals and pick one from there.',
  invalid_role: 'Choose one of the roles that the page lists, such as viewer, support, finance or owner.',
  invalid_session_policy: 'Give positive lifetimes, the idle one no longer than the absolute one.',
  invalid_totp_secret: 'Enrol the authenticator app again with a new secret.',
  invalid_totp_digits: 'Set the authenticator to six digits.',
  invalid_totp_time_step: 'Set the authenticator to steps of 30 seconds.',
  invalid_totp_time: 'Give the time in whole unix seconds.',
  invalid_totp_window: 'Accept at most one step of drift to each side.',
  invalid_otpauth_label: 'Take the colon out of the label.',
  invalid_mode: 'Write `test` or `live`.',
  invalid_key_kind: 'Write `sk`, `pk` or `rk`.',
  invalid_scope: 'Pick scopes from the vocabulary in the documentation, at least one.',
  duplicate_api_key: 'Ask for the key again: a fresh one is made each time.',
} as const;
