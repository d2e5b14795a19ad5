import { checkBytes, signatureOf, signingKeys } from './signature';

const SECOND_MS = 1_000;

/**
 * The header `Service-Signature` over a body, as the service writes the header. Tests of a receiver send both, and need
 * no service.
 *
 * @param rawBody the request's very bytes.
 * @param secrets the endpoint's signing secret, or several as while one is being rolled.
 * @param now milliseconds since 1970.
 *
 * Throws TypeError for arguments that cannot be meant.
 */
export function signTestEvent(
  rawBody: string | Uint8Array,
  secrets: string | readonly string[],
  now: () => number = Date.now,
): string {
  checkBytes(rawBody);
  const timestamp = String(Math.floor(now() / SECOND_MS));
  const signatures = signingKeys(secrets).map(key => signatureOf(rawBody, key, timestamp).toString('hex'));
  return [`t=${timestamp}`, ...signatures.map(signature => `v1=${signature}`)].join(',');
}
