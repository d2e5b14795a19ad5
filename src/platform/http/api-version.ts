import type { IncomingMessage } from 'node:http';
import { API_VERSIONS, isApiVersion, type ApiVersion } from '../../vocabulary/api-versions';
import { refuse } from '../../vocabulary/errors';

const HEADER = 'Api-Version';

/**
 * The version that the request's header names, or `pinned` without one. Throws Refusal parameter_invalid naming the
 * header.
 */
export function requestedVersion(message: IncomingMessage, pinned: ApiVersion): ApiVersion {
  const [named, ...others] = message.headersDistinct[HEADER.toLowerCase()] ?? [];
  if (named === undefined) return pinned;
  if (others.length > 0) throw refuse('parameter_invalid', { param: HEADER, message: `${HEADER} is given twice.` });
  if (isApiVersion(named)) return named;
  const explained = `There is no such version. ${HEADER} is one of: ${API_VERSIONS.join(', ')}.`;
  throw refuse('parameter_invalid', { param: HEADER, message: explained });
}
