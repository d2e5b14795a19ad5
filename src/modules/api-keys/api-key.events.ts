import type { KeyKind } from '../../vocabulary/key-kinds';
import type { Permission } from '../../vocabulary/roles';
import type { Scope } from '../../vocabulary/scopes';

export type ApiKeyMinted = {
  readonly type: 'ApiKeyMinted';
  readonly data: {
    readonly kind: KeyKind;
    readonly name: string | null;
    readonly scopes: readonly Scope[];
    /** SHA-256 of the key's text, as hex: the text itself is in no event. */
    readonly key_hash: string;
    readonly last4: string;
    readonly expires_at: string | null;
  };
};

/**
 * The person who made the key lacks these permissions, so the key lacks them too, whatever its scopes. Follows the
 * minting in one append. A key without this event has all that its scopes give.
 */
type ApiKeyBounded = { readonly type: 'ApiKeyBounded'; readonly data: { readonly withheld: readonly Permission[] } };

type ApiKeyRotated = {
  readonly type: 'ApiKeyRotated';
  readonly data: { readonly successor: string; readonly expires_at: string };
};

type ApiKeyRevoked = { readonly type: 'ApiKeyRevoked'; readonly data: Record<string, never> };

export type ApiKeyEvent = ApiKeyMinted | ApiKeyBounded | ApiKeyRotated | ApiKeyRevoked;
