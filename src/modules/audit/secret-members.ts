import type { JsonObject, JsonValue } from '../../vocabulary/json';

/**
 * Members of events and states that nobody is shown: hashes of passwords, keys and codes, sealed secrets, and keys of
 * passkeys. Events write `password_hash`, and states `passwordHash`.
 */
const SECRETS: ReadonlySet<string> = new Set(
  [
    'password_hash', 'totp_secret_sealed', 'code_hashes', 'code_hash', 'key_hash', 'sealed_secret', 'wrapped',
    'credential_hash', 'credential_id', 'public_key', 'nonce', 'challenge',
  ].map(plain),
); // prettier-ignore

/** The facts without their secret members, at any depth: the same object where none is secret. */
export function withoutSecrets(facts: JsonObject): JsonObject {
  return holdsSecret(facts) ? cleared(facts) : facts;
}

/** Nearly all facts hold no secret, so looking is cheaper than copying. */
function holdsSecret(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsSecret);
  const facts = value as JsonObject;
  return Object.keys(facts).some(name => isSecret(name) || holdsSecret(facts[name] as JsonValue));
}

function cleared(facts: JsonObject): JsonObject {
  const kept = Object.entries(facts).filter(([name]) => !isSecret(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, inside(value)]));
}

function inside(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inside);
  return typeof value === 'object' && value !== null ? cleared(value as JsonObject) : value;
}

function isSecret(name: string): boolean {
  return SECRETS.has(plain(name));
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
