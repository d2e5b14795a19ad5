/** A data key as a wrapping key has encrypted it. The bytes open with that `SECRET_KEY` alone. */
export type Wrapping = {
  /** Id of the wrapping key. */
  readonly wrapping_key: string;
  readonly wrapped: string;
};

type DataKeyMade = { readonly type: 'DataKeyMade'; readonly data: Wrapping };

/** The same data key, wrapped by a further key. */
type DataKeyRewrapped = { readonly type: 'DataKeyRewrapped'; readonly data: Wrapping };

export type KeyringEvent = DataKeyMade | DataKeyRewrapped;
