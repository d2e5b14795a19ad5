import { isIP } from 'node:net';
import type { RealmName } from '../../vocabulary/realms';

/** The party that passkeys are made for: a host name, and the origin of its pages. */
export type RelyingParty = { readonly rpId: string; readonly origin: string };

/** The party of each realm, whose pages may have hosts of their own; null where a realm has no passkeys. */
export type RelyingParties = Readonly<Record<RealmName, RelyingParty | null>>;

/** Names under which the composition root provides the parties, and the verifier of ceremonies. */
export const RELYING_PARTIES = Symbol('RelyingParties');
export const WEB_AUTHN = Symbol('WebAuthn');

/**
 * Follows from the configured address of a realm's pages, never from a request. Null where browsers make no passkeys:
 * for an IP address, and for http unless the host is this machine.
 */
export function relyingPartyOf(pagesUrl: string): RelyingParty | null {
  const { hostname, protocol, origin } = new URL(pagesUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isLocal ? { rpId: hostname, origin } : null;
}
