import { parseIsoTime } from '../../../kernel/clock';
import type { Document } from '../../../kernel/ports/documents';
import type { ApiKeyDocument } from '../api-keys.read-model';
import { COVERED_PERMISSIONS } from '../covered-permissions';
import type { ApiKeyResource } from './api-keys.contract';

/** The key as the API shows it at `now`, by the mode's clock. */
export function presentApiKey(key: Document<ApiKeyDocument>, now: number, lastUsedAt: string | null): ApiKeyResource {
  const { mode, kind, name, scopes, withheld, last4, status, created, expires_at, revoked_at } = key.body;
  const ended = status !== 'revoked' && expires_at !== null && now >= parseIsoTime(expires_at);
  return {
    id: key.id,
    object: 'api_key',
    mode,
    kind,
    name,
    scopes,
    denied: COVERED_PERMISSIONS.filter(permission => withheld.includes(permission)),
    last4,
    status: ended ? 'expired' : status,
    created,
    expires_at,
    last_used_at: lastUsedAt,
    revoked_at,
  };
}
