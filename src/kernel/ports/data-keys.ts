import type { DerivedKey, SecretOwner } from './secret-box';

export const DATA_KEY_BYTES = 32;

/** The values of the service's own data key. `secret box` opens the texts from before there were data keys. */
export const SERVICE_PURPOSES = ['secret box', 'ids', 'object ids', 'mfa proofs'] as const satisfies readonly (
  'secret box' | DerivedKey
)[];
export type ServicePurpose = (typeof SERVICE_PURPOSES)[number];

export type DataKey = { readonly name: string; readonly bytes: Uint8Array };

/** The keys that seal secrets, each known by its name. A data key never changes. */
export interface DataKeys {
  /** The owner's key, which is made where there is none. Throws the log's outages. */
  ofOwner(owner: SecretOwner): Promise<DataKey>;
  /** Null where there is no key of the name. Throws the log's outages. */
  named(name: string): Promise<Uint8Array | null>;
  /** 32 bytes of the service's own key. Throws the log's outages, and Refusal invalid_config for a wrong key. */
  ofService(purpose: ServicePurpose): Promise<Uint8Array>;
}

/** A key that is made of a `SECRET_KEY`. A wrapping key wraps data keys, and seals nothing else. */
export interface WrappingKey {
  /** Tells one wrapping key from another, and nothing of its bytes. */
  readonly id: string;
  wrap(key: Uint8Array, name: string): string;
  /** Throws SecretUnreadable where the text is not this key's wrapping for the name. */
  unwrap(wrapped: string, name: string): Uint8Array;
  /** The service's data key of a log that has none yet: the values that were derived before there were data keys. */
  serviceKey(): Uint8Array;
  /** Whether the text is from before there were data keys, and sealed by another `SECRET_KEY`. */
  isForeign(sealed: string, recordId: string): boolean;
}
