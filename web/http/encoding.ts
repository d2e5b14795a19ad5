import { acceptedRanges } from '../words/accepted-ranges';

/** The best encoding that a client takes. */
export function encodingFor(acceptEncoding: string | undefined): 'br' | 'gzip' | 'identity' {
  const taken = acceptedRanges(acceptEncoding);
  if (taken.includes('br')) return 'br';
  return taken.includes('gzip') ? 'gzip' : 'identity';
}
