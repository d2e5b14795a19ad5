/** Vocabulary of scopes; a `create` or `manage` scope implies the `read` scope of the same noun. */
export const SCOPES = [
  'payment:create', 'payment:read', 'invoice:create', 'invoice:read', 'key:manage', 'key:read', 'webhook:manage',
  'webhook:read', 'fee:read', 'settings:manage', 'settings:read', 'wallet:manage', 'wallet:read', 'route:manage',
  'route:read', 'webhook_url:manage', 'request_log:read',
] as const; // prettier-ignore
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

export function isReadScope(scope: Scope): boolean {
  return scope.endsWith(':read');
}

/** Whether `granted` holds `needed`, by name or by implication. */
export function grants(granted: readonly Scope[], needed: Scope): boolean {
  if (granted.includes(needed)) return true;
  if (!isReadScope(needed)) return false;
  const noun = needed.slice(0, needed.indexOf(':'));
  return granted.some(scope => scope === `${noun}:create` || scope === `${noun}:manage`);
}
