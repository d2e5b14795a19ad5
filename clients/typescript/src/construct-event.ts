import { timingSafeEqual } from 'node:crypto';
import { QuittanceError } from './errors';
import type { DeliveredEvent } from './generated/webhooks';
import { checkBytes, signatureOf, signingKeys } from './signature';
import { parseSignatureHeader } from './signature-header';

const TOLERANCE_SECONDS = 300;
const SECOND_MS = 1_000;

/**
 * The delivery was not signed with any of the secrets, or not within the tolerance: answer it with 400 and act on
 * nothing in it.
 */
export class SignatureVerificationError extends QuittanceError {}

/**
 * The event of a delivery, once its signature holds. Its `type` tells the state of the payment in `data`. Deliveries
 * may come twice and in any order: keep the ids that were handled, and fulfil on `payment.confirmed` and
 * `payment.overpaid` only.
 *
 * @param rawBody the request's very bytes; a body that was parsed and written again does not verify.
 * @param header the header `Service-Signature`.
 * @param secrets the endpoint's signing secret, or several while one is being rolled; one of them has to fit.
 * @param toleranceSeconds how far the signature's time may lie from now, in either direction; more than 0.
 * @param now milliseconds since 1970.
 *
 * Throws SignatureVerificationError, and QuittanceError for a signed body that is not JSON; TypeError or RangeError for
 * arguments that cannot be meant.
 */
export function constructEvent(
  rawBody: string | Uint8Array,
  header: string | undefined,
  secrets: string | readonly string[],
  toleranceSeconds = TOLERANCE_SECONDS,
  now: () => number = Date.now,
): DeliveredEvent {
  checkBytes(rawBody);
  if (!(toleranceSeconds > 0 && Number.isFinite(toleranceSeconds)))
    throw new RangeError(`toleranceSeconds has to be more than 0: ${toleranceSeconds}`);
  const keys = signingKeys(secrets);

  const signed = parseSignatureHeader(header);
  if (signed === null) throw new SignatureVerificationError('The signature header cannot be read.');
  if (!isSignedWith(keys, rawBody, signed)) throw new SignatureVerificationError('No signature fits the body.');
  const ageSeconds = Math.floor(now() / SECOND_MS) - Number(signed.timestamp);
  if (Math.abs(ageSeconds) > toleranceSeconds)
    throw new SignatureVerificationError('The signature is too old, or from the future.');
  return parse(rawBody);
}

function parse(rawBody: string | Uint8Array): DeliveredEvent {
  try {
    return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)) as DeliveredEvent;
  } catch (error) {
    throw new QuittanceError('The signed body is not JSON.', { cause: error });
  }
}

/** Every pair is compared, each in constant time, so that the time does not tell where they differ. */
function isSignedWith(
  secrets: readonly string[],
  rawBody: string | Uint8Array,
  { timestamp, signatures }: { readonly timestamp: string; readonly signatures: readonly Uint8Array[] },
): boolean {
  let isSigned = false;
  for (const secret of secrets) {
    const expected = signatureOf(rawBody, secret, timestamp);
    for (const signature of signatures) isSigned = timingSafeEqual(expected, signature) || isSigned;
  }
  return isSigned;
}
