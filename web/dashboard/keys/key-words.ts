import type { ApiKeyResource } from '../../../src/modules/api-keys/api/api-keys.contract';
import type { Scope } from '../../../src/vocabulary/scopes';
import type { Tone } from '../../parts/status-badge';

/** The times after which a new key may end. */
export const KEY_ENDS = [
  { value: 'never', text: 'Never', days: null },
  { value: '30', text: 'In 30 days', days: 30 },
  { value: '90', text: 'In 90 days', days: 90 },
  { value: '365', text: 'In a year', days: 365 },
] as const;

export const KEY_KINDS_IN_WORDS = [
  { value: 'sk', text: 'Secret: for your own server' },
  { value: 'rk', text: 'Restricted: for a server that needs little' },
  { value: 'pk', text: 'Publishable: for browsers, and it only reads' },
];

export const KEY_TONES: Readonly<Record<ApiKeyResource['status'], Tone>> = {
  active: 'ok',
  rotating: 'warn',
  expired: 'idle',
  revoked: 'idle',
};

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'payment:create': 'Make, cancel and decide payments, make payment links, and attribute transfers',
  'payment:read': 'See payments',
  'invoice:create': 'Make invoices',
  'invoice:read': 'See invoices',
  'key:manage': 'Make and end keys',
  'key:read': 'See keys',
  'webhook:manage': 'Manage endpoints and redeliver events',
  'webhook:read': 'See endpoints and events',
  'fee:read': 'See fees',
  'settings:manage': 'Change settings',
  'settings:read': 'See settings',
  'wallet:manage': 'Add and prove wallets',
  'wallet:read': 'See wallets',
  'route:manage': 'Set routes',
  'route:read': 'See routes',
  'webhook_url:manage': 'Change where webhooks go',
  'request_log:read': 'See the log of requests',
};

/** A scope in words, for a key that may not do all that the scope of payments covers. */
export function scopeText(scope: Scope, denied: readonly unknown[]): string {
  return scope === 'payment:create' && denied.length > 0 ? 'Make payments' : SCOPE_WORDS[scope];
}

/** The key's beginning and end, by which people tell keys apart. */
export function maskedKey({ kind, mode, last4 }: Pick<ApiKeyResource, 'kind' | 'mode' | 'last4'>): string {
  return `${kind}_${mode}_…${last4}`;
}
