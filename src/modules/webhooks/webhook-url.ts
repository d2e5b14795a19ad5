import { isIP } from 'node:net';
import { characterCount, withoutEnd } from '../../vocabulary/characters';
import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';

export const MAX_URL_LENGTH = 2_048;

/** The addresses and ports to which deliveries of a mode may go; the sender checks again at every attempt. */
export interface AddressRules {
  readonly ports: readonly number[] | 'any';
  isReachable(mode: Mode, address: string): boolean;
  /** `address` is null for a name. */
  isPortOpen(mode: Mode, address: string | null, port: number): boolean;
}

/** The name under which the composition root provides the AddressRules. */
export const ADDRESS_RULES = Symbol('AddressRules');

/** An address that `webhookUrl` has passed. */
export type WebhookUrl = string & { readonly checked: unique symbol };

/**
 * Names that no public resolver answers, by RFC 6761, 6762, 7686 and 8375, and the names that private networks use
 * instead.
 */
const PRIVATE_SUFFIXES = [
  'localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa', 'test',
  'invalid', 'onion',
]; // prettier-ignore
/** The address for deliveries to `localhost`. */
const LOCALHOST_ADDRESS = '127.0.0.1';
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };
const BLANK = /[\s\p{Cc}]/u;

/**
 * Passes a public https address, in test mode an http address too. Hosts are judged as they are after parsing, since
 * `0x7f.1`, `2130706433` and `127.1` all are 127.0.0.1. The addresses that a name resolves to are judged at each
 * attempt. Throws Refusal insecure_webhook_url for http in live mode, otherwise invalid_webhook_url.
 */
export function webhookUrl(text: string, mode: Mode, addresses: AddressRules): WebhookUrl {
  const url = characterCount(text) > MAX_URL_LENGTH || BLANK.test(text) ? null : parse(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!url || !isWeb || url.username !== '' || url.password !== '')
    throw refuse('invalid_webhook_url', { param: 'url' });
  const host = withoutEnd(url.hostname.replace(/^\[|\]$/g, ''), '.');
  const address = host === 'localhost' ? LOCALHOST_ADDRESS : isIP(host) === 0 ? null : host;
  const isPublic = address === null ? isPublicName(host) : addresses.isReachable(mode, address);
  if (url.port === '0') throw refuse('invalid_webhook_url', { param: 'url' });
  if (!isPublic) throw refuse('invalid_webhook_url', { param: 'url', message: notPublic(host, address, mode) });
  assertOpenPort(Number(url.port || DEFAULT_PORTS[url.protocol]), { mode, address, addresses });
  if (url.protocol === 'http:' && mode === 'live') throw refuse('insecure_webhook_url', { param: 'url' });
  return text as WebhookUrl;
}

function isPublicName(host: string): boolean {
  const isPrivate = PRIVATE_SUFFIXES.some(suffix => host === suffix || host.endsWith(`.${suffix}`));
  return host.includes('.') && !isPrivate;
}

/** Only a local address can be opened, by the operator and to test mode. */
function notPublic(host: string, address: string | null, mode: Mode): string {
  if (address === null) return `${host} is not a public name. Give a name that every resolver on the internet knows.`;
  const way =
    mode === 'test'
      ? 'For development, start the service with its subnet in WEBHOOK_ALLOWED_SUBNETS, such as 127.0.0.0/8.'
      : 'Webhooks of live mode go to public addresses alone. A local receiver can be used in test mode.';
  return `${host} is not a public address. ${way}`;
}

type Destination = { readonly mode: Mode; readonly address: string | null; readonly addresses: AddressRules };

function assertOpenPort(port: number, { mode, address, addresses }: Destination): void {
  if (addresses.isPortOpen(mode, address, port)) return;
  const open = addresses.ports === 'any' ? '' : addresses.ports.join(', ');
  throw refuse('invalid_webhook_url', {
    param: 'url',
    message: `Webhooks do not go to port ${port}. The open ports are ${open}.`,
  });
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
