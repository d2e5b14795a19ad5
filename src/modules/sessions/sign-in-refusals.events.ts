/** The step that was refused. */
export type SignInRefusalReason = 'password' | 'code' | 'recovery_code' | 'passkey' | 'account_disabled';

/** A try to sign in as a user was refused. */
export type SignInRefused = {
  readonly type: 'SignInRefused';
  readonly data: { readonly reason: SignInRefusalReason };
};
