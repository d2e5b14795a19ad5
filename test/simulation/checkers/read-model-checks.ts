import { ALL_PROJECTIONS } from '../../../projections/all';
import { verifyProjection } from '../../../projections/runner/verify';
import type { Outside } from '../outside';

/** I8: every read model, folded anew from the log's start, is the one that stands. */
export async function readModelsAsRebuilt({ disk, documents }: Outside): Promise<string[]> {
  // No process writes any more, so there is nothing to wait for.
  const clock = { now: () => 0, wait: () => Promise.resolve() };
  const found: string[] = [];
  for (const projection of ALL_PROJECTIONS) {
    const { equal, difference } = await verifyProjection({ store: disk.log, documents, projection, clock });
    if (!equal)
      found.push(`I8: ${projection.name} differs from the log in ${difference?.id}, which is ${difference?.kind}`);
  }
  return found;
}
