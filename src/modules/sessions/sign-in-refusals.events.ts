/** The step that was refused. */
export type SignInRefusalReason = 'password' | 'code' | 'recovery_code' | 'passkey' | 'account_disabled';

/** Somebody tried to sign in as a user, and was refused. */
export type SignInRefused = {
  readonly type: 'SignInRefused';
  readonly data: { readonly reason: SignInRefusalReason };
};
