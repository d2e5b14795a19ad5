import { DAY_MS, isoTime, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { KEY_KINDS, type KeyKind } from '../../vocabulary/key-kinds';
import type { ApiKeyEvent, ApiKeyMinted } from './api-key.events';
import type { Permission } from '../../vocabulary/roles';
import { grants, isReadScope, isScope, SCOPES, type Scope } from '../../vocabulary/scopes';
import { keepsRule, type TextRule } from '../../vocabulary/text-rules';
import { canonicalTimestamp } from '../../kernel/timestamp';
import { coveredPermissions } from './covered-permissions';

/** The time for which a rotated key works beside its successor. */
export const ROTATION_GRACE_MS = 7 * DAY_MS;
export const MAX_KEY_NAME_LENGTH = 100;
export const KEY_NAME = { isOneLine: true, max: MAX_KEY_NAME_LENGTH } as const satisfies TextRule;

type MintedState = {
  readonly status: 'active' | 'rotating' | 'revoked';
  readonly minted: ApiKeyMinted['data'];
  readonly expiresAt: string | null;
  /** The permissions that the key lacks, whatever its scopes. */
  readonly withheld: readonly Permission[];
};
type ApiKey = { readonly status: 'none' } | MintedState;

export type MintTerms = {
  readonly kind: string;
  readonly name: string | null;
  readonly scopes: readonly string[];
  /** ISO-8601 UTC; null for a key without an end. */
  readonly expiresAt: string | null;
};

/** The power that a key is made or ended by: a key gives no scope that it lacks, and no time beyond its own end. */
export type Grantor = {
  readonly scopes: readonly Scope[];
  /** ISO-8601 UTC; null for a grantor without an end. */
  readonly endsAt: string | null;
  /** The permissions that the grantor lacks, among those that a scope covers with others. */
  readonly withheld: readonly Permission[];
};

type KeyRights = { readonly scopes: readonly Scope[]; readonly withheld: readonly Permission[] };

/** The operator, who may give everything. */
export const UNBOUNDED: Grantor = { scopes: SCOPES, endsAt: null, withheld: [] };

export type ApiKeyCommand =
  | {
      readonly type: 'mint';
      readonly terms: MintTerms;
      readonly grantor: Grantor;
      readonly keyHash: string;
      readonly last4: string;
    }
  | { readonly type: 'rotate'; readonly successor: string; readonly grantor: Grantor }
  | { readonly type: 'revoke'; readonly grantor: Grantor };

function decide(command: ApiKeyCommand, state: ApiKey, context: DecisionContext): readonly ApiKeyEvent[] {
  if (command.type === 'mint') {
    if (state.status !== 'none') throw refuse('duplicate_api_key');
    const terms = checkedTerms(command.terms, command.grantor, context.now);
    const minted = { ...terms, key_hash: command.keyHash, last4: command.last4 };
    return [{ type: 'ApiKeyMinted', data: minted }, ...boundsOf(terms, command.grantor)];
  }
  if (state.status === 'none') throw refuse('resource_missing');
  switch (command.type) {
    case 'rotate':
      return decideRotation(command, state, context.now);
    case 'revoke':
      return decideRevocation(command, state);
    default:
      return unreachable(command);
  }
}

/** Throws the same refusals as minting, so that nothing is made where the terms are wrong. */
export function checkedTerms(
  { kind, name, scopes, expiresAt }: MintTerms,
  grantor: Grantor,
  now: number,
): Omit<ApiKeyMinted['data'], 'key_hash' | 'last4'> {
  if (!isKeyKind(kind)) throw refuse('invalid_key_kind', { param: 'kind' });
  if (name !== null && !keepsRule(name, KEY_NAME)) throw refuse('parameter_invalid', { param: 'name' });
  const checked = checkedScopes(kind, scopes, grantor);
  const end = expiresAt === null ? null : checkedEnd(expiresAt, now);
  if (outlives(end, grantor)) {
    const message = `The calling key ends at ${grantor.endsAt}, and a key that it makes ends no later.`;
    throw refuse('parameter_invalid', { param: 'expires_at', message });
  }
  return { kind, name, scopes: checked, expires_at: end };
}

function boundsOf({ scopes }: Pick<ApiKeyMinted['data'], 'scopes'>, { withheld }: Grantor): readonly ApiKeyEvent[] {
  const lacking = coveredPermissions(scopes).filter(each => withheld.includes(each));
  return lacking.length > 0 ? [{ type: 'ApiKeyBounded', data: { withheld: lacking } }] : [];
}

/** Whether the grantor lacks a permission that the key has. Such a grantor does not rotate the key. */
export function lacksPermission({ scopes, withheld }: KeyRights, grantor: Grantor): boolean {
  const held = coveredPermissions(scopes).filter(each => !withheld.includes(each));
  return held.some(each => grantor.withheld.includes(each));
}

function outlives(end: string | null, { endsAt }: Grantor): boolean {
  return endsAt !== null && (end === null || parseIsoTime(end) > parseIsoTime(endsAt));
}

/** Whether the grantor lacks a scope of the key. Such a grantor neither rotates nor revokes the key. */
export function lacksScope({ scopes }: Pick<KeyRights, 'scopes'>, grantor: Grantor): boolean {
  return !scopes.every(scope => grants(grantor.scopes, scope));
}

function checkedScopes(kind: KeyKind, scopes: readonly string[], grantor: Grantor): readonly Scope[] {
  const unknown = scopes.findIndex(scope => !isScope(scope));
  if (unknown >= 0) throw refuse('invalid_scope', { param: `scopes[${unknown}]` });
  // The scopes in the vocabulary's order, each once.
  const wanted = SCOPES.filter(scope => scopes.includes(scope));
  if (wanted.length === 0) throw refuse('invalid_scope', { param: 'scopes' });
  if (kind === 'pk' && !wanted.every(isReadScope)) throw refuse('publishable_scope_forbidden', { param: 'scopes' });
  if (!wanted.every(scope => grants(grantor.scopes, scope))) throw refuse('insufficient_scope', { param: 'scopes' });
  return wanted;
}

function checkedEnd(text: string, now: number): string {
  const end = canonicalTimestamp(text, 'expires_at');
  if (parseIsoTime(end) <= now)
    throw refuse('parameter_invalid', { param: 'expires_at', message: 'The end of a key lies ahead.' });
  return end;
}

function decideRotation(
  { successor, grantor }: Extract<ApiKeyCommand, { readonly type: 'rotate' }>,
  state: Exclude<ApiKey, { readonly status: 'none' }>,
  now: number,
): readonly ApiKeyEvent[] {
  if (state.status !== 'active') throw refuse('invalid_state_transition');
  const ends = state.expiresAt === null ? Infinity : parseIsoTime(state.expiresAt);
  if (ends <= now) throw refuse('invalid_state_transition');
  const rights = { scopes: state.minted.scopes, withheld: state.withheld };
  if (lacksScope(rights, grantor) || lacksPermission(rights, grantor)) throw refuse('insufficient_scope');
  // The successor ends when this key was minted to end.
  if (outlives(state.minted.expires_at, grantor))
    throw refuse('insufficient_scope', { message: 'The calling key ends before the successor would.' });
  const expiresAt = isoTime(Math.min(ends, now + ROTATION_GRACE_MS));
  return [{ type: 'ApiKeyRotated', data: { successor, expires_at: expiresAt } }];
}

function decideRevocation(
  { grantor }: Extract<ApiKeyCommand, { readonly type: 'revoke' }>,
  state: Exclude<ApiKey, { readonly status: 'none' }>,
): readonly ApiKeyEvent[] {
  if (state.status === 'revoked') return [];
  if (lacksScope(state.minted, grantor)) throw refuse('insufficient_scope');
  return [{ type: 'ApiKeyRevoked', data: {} }];
}

function isKeyKind(text: string): text is KeyKind {
  return (KEY_KINDS as readonly string[]).includes(text);
}

function evolve(state: ApiKey, event: ApiKeyEvent): ApiKey {
  if (event.type === 'ApiKeyMinted')
    return { status: 'active', minted: event.data, expiresAt: event.data.expires_at, withheld: [] };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'ApiKeyBounded':
      return { ...state, withheld: event.data.withheld };
    case 'ApiKeyRotated':
      return { ...state, status: 'rotating', expiresAt: event.data.expires_at };
    case 'ApiKeyRevoked':
      return { ...state, status: 'revoked' };
    default:
      return unreachable(event);
  }
}

export const apiKeys: Aggregate<ApiKey, ApiKeyCommand, ApiKeyEvent> = {
  category: 'api_key',
  notFound: 'resource_missing',
  initial: { status: 'none' },
  decide,
  evolve,
};
