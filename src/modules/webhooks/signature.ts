import { createHmac } from 'node:crypto';
import { SECOND_MS } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';

/**
 * `t=<unix seconds>,v1=<hex>[,v1=<hex>]`: HMAC-SHA256 of `<t>.<body>` under each secret, whose key is its whole text
 * with the prefix. Throws Refusal no_signing_secret where there is none.
 */
export function signatureHeader(body: string, secrets: readonly string[], timeMs: number): string {
  if (secrets.length === 0) throw refuse('no_signing_secret');
  const t = Math.floor(timeMs / SECOND_MS);
  const signatures = secrets.map(secret => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  return [`t=${t}`, ...signatures.map(hex => `v1=${hex}`)].join(',');
}
