import { isIP } from 'node:net';

/** The party that passkeys are made for: a host name, and the origin of its pages. */
export type RelyingParty = { readonly rpId: string; readonly origin: string };

/** Names under which the composition root provides the party, and the verifier of ceremonies. */
export const RELYING_PARTY = Symbol('RelyingParty');
export const WEB_AUTHN = Symbol('WebAuthn');

/**
 * Follows from the dashboard's configured address, never from a request. Null where browsers make no passkeys: for an
 * IP address, and for http unless the host is this machine.
 */
export function relyingPartyOf(dashboardUrl: string): RelyingParty | null {
  const { hostname, protocol, origin } = new URL(dashboardUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isLocal ? { rpId: hostname, origin } : null;
}
