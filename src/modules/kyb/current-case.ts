import type { SecretBox } from '../../kernel/ports/secret-box';
import type { WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { successorId } from '../../vocabulary/ids';
import { kybCases, type KybCase } from './kyb-case.decider';

/** A merchant is rejected seldom. Each rejection is a person's work, so this is never reached by chance. */
const MAX_CASES = 50;

/** `rejected` is the id of the case before, where that one was rejected; null for a first case. */
type CurrentCase = { readonly id: string; readonly state: KybCase; readonly rejected: string | null };

/**
 * The newest case of a merchant, or the id and place of its next one. Each case's id follows from the one before, so a
 * merchant has one undecided case at most, however many processes open one at once.
 */
export async function currentCase(
  writes: Pick<WritePath, 'load'>,
  secretBox: Pick<SecretBox, 'deriveKey'>,
  merchantId: string,
): Promise<CurrentCase> {
  const key = await secretBox.deriveKey('ids');
  let id = successorId('kyb', merchantId, key, 'first case');
  let rejected: string | null = null;
  for (let count = 1; count <= MAX_CASES; count++) {
    const { state } = await writes.load(kybCases, 'platform', id);
    if (state.status !== 'rejected') return { id, state, rejected };
    rejected = id;
    id = successorId('kyb', id, key, 'next case');
  }
  throw refuse('invalid_state_transition', { message: `A merchant has at most ${MAX_CASES} cases.` });
}
