import type { Loaded } from '../../kernel/loaded';
import type { SecretBox } from '../../kernel/ports/secret-box';
import type { WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { successorId } from '../../vocabulary/ids';
import { kybCases, type KybCase } from './kyb-case.decider';
import type { KybCaseEvent } from './kyb-case.events';

/** A merchant is rejected seldom. Each rejection is a person's work, so this is never reached by chance. */
const MAX_CASES = 50;

type CurrentCase<Case> = {
  readonly id: string;
  readonly current: Case;
  /** The case before, where that one was rejected; null for a first case. */
  readonly rejected: Case | null;
};

type LoadedCase = Loaded<KybCase, KybCaseEvent>;
type CaseStreams = Pick<WritePath, 'load'>;
type IdKeys = Pick<SecretBox, 'deriveKey'>;

/**
 * The newest case of a merchant, or the id and place of its next one. Each case's id follows from the one before, so a
 * merchant has one undecided case at most, however many processes open one at once. `read` is called once a case.
 */
export async function currentCase<Case>(
  secretBox: IdKeys,
  merchantId: string,
  read: (id: string) => Promise<Case>,
  isRejected: (standing: Case) => boolean,
): Promise<CurrentCase<Case>> {
  const key = await secretBox.deriveKey('ids');
  let id = successorId('kyb', merchantId, key, 'first case');
  let rejected: Case | null = null;
  for (let count = 1; count <= MAX_CASES; count++) {
    const current = await read(id);
    if (!isRejected(current)) return { id, current, rejected };
    rejected = current;
    id = successorId('kyb', id, key, 'next case');
  }
  throw refuse('invalid_state_transition', { message: `A merchant has at most ${MAX_CASES} cases.` });
}

/** The current case by its stream, for a command that decides on it. */
export function loadCurrentCase(
  writes: CaseStreams,
  secretBox: IdKeys,
  merchantId: string,
): Promise<CurrentCase<LoadedCase>> {
  const load = (id: string) => writes.load(kybCases, 'platform', id);
  return currentCase(secretBox, merchantId, load, ({ state }) => state.status === 'rejected');
}

/** The current case of a merchant who has one. Throws Refusal kyb_case_not_found, also after a rejection. */
export async function loadOpenedCase(
  writes: CaseStreams,
  secretBox: IdKeys,
  merchantId: string,
): Promise<Omit<CurrentCase<LoadedCase>, 'rejected'>> {
  const opened = await loadCurrentCase(writes, secretBox, merchantId);
  if (opened.current.state.status === 'none') throw refuse('kyb_case_not_found');
  return opened;
}
