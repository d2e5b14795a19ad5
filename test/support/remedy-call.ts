import { ERROR_REMEDIES } from '../../src/platform/docs/error-remedies';
import type { ErrorCode } from '../../src/vocabulary/errors';

const CALL = /\b(?:GET|POST|PUT) \/v1\/[\w/:]*\w/;

/** The call that a code's remedy names, such as `GET /v1/wallets/:id`, with the id in its place. */
export function remedyCall(code: ErrorCode, id: string): string {
  const [call] = CALL.exec(ERROR_REMEDIES[code]) ?? [];
  if (call === undefined) throw new Error(`the remedy of ${code} names no call: ${ERROR_REMEDIES[code]}`);
  return call.replace(':id', id);
}
