/**
 * A person who signs in for a merchant. The secret is sealed for this user's id; the password's text holds its own
 * parameters.
 */
export type UserRegistered = {
  readonly type: 'UserRegistered';
  readonly data: {
    readonly merchant_id: string;
    readonly email: string;
    readonly password_hash: string;
    readonly totp_secret_sealed: string;
  };
};

export type UserEvent = UserRegistered;
