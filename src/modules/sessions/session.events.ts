import type { SignInMethod } from './signed-in';

/** The client's network (`203.0.113.0/24`, null where the address is not known), and the family of the browser. */
export type SessionPlace = { readonly network: string | null; readonly browser: string };

export type SessionStarted = {
  readonly type: 'SessionStarted';
  readonly data: {
    readonly user_id: string;
    readonly method: SignInMethod;
    readonly place: SessionPlace;
    /** The user has not signed in from this place within the last 90 days. */
    readonly is_new_place: boolean;
  };
};

/** A fresh one-time code was shown for a risky action. */
type SteppedUp = { readonly type: 'SteppedUp'; readonly data: { readonly action: string } };

export type SessionEnding =
  'signed_out' | 'other_device' | 'password_changed' | 'user_disabled' | 'operator' | 'oldest';
/** The session was ended before its time. A session that ends by its time has no such event. */
type SessionEnded = { readonly type: 'SessionEnded'; readonly data: { readonly how: SessionEnding } };

export type SessionEvent = SessionStarted | SteppedUp | SessionEnded;
