/** A user has registered a credential. All bytes are base64url. */
export type PasskeyRegistered = {
  readonly type: 'PasskeyRegistered';
  readonly data: {
    readonly passkey_id: string;
    readonly user_id: string;
    readonly credential_id: string;
    /** In COSE form. */
    readonly public_key: string;
    /** The authenticator's counter of signatures at that moment; 0 where it counts none. */
    readonly counter: number;
  };
};

/** The user has removed the passkey: another user may register the credential. */
type PasskeyWithdrawn = { readonly type: 'PasskeyWithdrawn'; readonly data: { readonly user_id: string } };

/** A right signature with a counter that was seen before: somebody may have copied the authenticator. */
type PasskeyCounterRegressed = {
  readonly type: 'PasskeyCounterRegressed';
  readonly data: { readonly seen: number; readonly shown: number };
};

export type PasskeyEvent = PasskeyRegistered | PasskeyWithdrawn | PasskeyCounterRegressed;
