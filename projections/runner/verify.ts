import type { JsonObject } from '../../src/vocabulary/json';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Collection, Document } from '../../src/kernel/ports/documents';
import { START_OF_LOG } from '../../src/kernel/ports/event-store';
import { Checkpoints } from './checkpoints';
import { compareCollections, canonicalDocument } from './compare-collections';
import { ProjectionBuild, type BuildParts } from './projection-build';
import { collectionSpec, scannableSpec } from './projection-collection';

/** Rounds in which a moving document is looked at again: 10 s in all. */
const STEADY_ROUNDS = 100;
const STEADY_WAIT_MS = 100;
const SUSPECTS_PER_STEP = 1_000;

export type Verification = {
  readonly projection: string;
  /** True where every document equals the log's, byte for byte. */
  readonly equal: boolean;
  readonly documents: number;
  /** The log's position up to which documents were folded for the comparison. */
  readonly position: LogPosition;
  /**
   * While writers are at work the two may differ though the documents are equal: documents that moved are then compared
   * one by one.
   */
  readonly sha256Live: string;
  readonly sha256Rebuilt: string;
  /** The first document that differs, by its id. */
  readonly difference: Difference | null;
};

type Difference = {
  readonly id: string;
  /** `unsteady`: the live document stayed behind the log, or moved on each time it was looked at. */
  readonly kind: 'changed' | 'missing' | 'surplus' | 'unsteady';
  readonly liveVersion: number | null;
  readonly rebuiltVersion: number | null;
};

/** Rebuilds the projection aside and compares; writers may go on meanwhile. Throws PoisonEvent or BuildUnderWay. */
export async function verifyProjection<Body extends JsonObject>(parts: BuildParts<Body>): Promise<Verification> {
  const { documents, projection } = parts;
  const live = await documents.open<Body>(scannableSpec(projection));
  const build = await ProjectionBuild.begin(parts, 'verifying');
  try {
    await build.catchUp();
    const { suspects, ...facts } = await compareCollections(live, build.collection);
    const difference = await confirmed(parts, live, build, suspects);
    return { projection: projection.name, equal: difference === null, ...facts, position: build.position, difference };
  } finally {
    await build.drop();
    await documents.open(collectionSpec(projection));
  }
}

/** The versions that a round saw: once the live side is complete up to `at`, it must have this one. */
type Expectation = { readonly version: number | null; readonly at: LogPosition };

/** The first of the suspects that still differs when read at rest. */
async function confirmed<Body extends JsonObject>(
  parts: BuildParts<Body>,
  live: Collection<Body>,
  build: ProjectionBuild<Body>,
  suspects: readonly string[],
): Promise<Difference | null> {
  const checkpoints = await Checkpoints.open(parts.documents, parts.clock);
  const expectations = new Map<string, Expectation>();
  let open = suspects;
  for (let round = 1; open.length > 0; round++) {
    const moving: Difference[] = [];
    for (let from = 0; from < open.length; from += SUSPECTS_PER_STEP) {
      const ids = open.slice(from, from + SUSPECTS_PER_STEP);
      const covered = (await checkpoints.load(parts.projection.name))?.body.position ?? START_OF_LOG;
      const standing = await Promise.all(ids.map(id => live.get(id)));
      // From here on the build knows every event that a live document can hold.
      await build.catchUp();
      for (const [index, id] of ids.entries()) {
        const difference = differenceOf(id, standing[index] ?? null, await build.get(id));
        if (!difference) continue;
        if (isConfirmed(difference, expectations.get(id), covered)) return difference;
        moving.push({ ...difference, kind: 'unsteady' });
        const expected = expectations.get(id);
        if (!expected || expected.version !== difference.rebuiltVersion)
          expectations.set(id, { version: difference.rebuiltVersion, at: build.lastEventPosition });
      }
    }
    if (round >= STEADY_ROUNDS) return moving[0] ?? null;
    open = moving.map(({ id }) => id);
    if (open.length > 0) await parts.clock.wait(STEADY_WAIT_MS, parts.signal);
  }
  return null;
}

function differenceOf(id: string, live: Document | null, rebuilt: Document | null): Difference | null {
  if (live === rebuilt) return null;
  if (live && rebuilt && canonicalDocument(live) === canonicalDocument(rebuilt)) return null;
  const kind = !live ? 'missing' : !rebuilt ? 'surplus' : 'changed';
  return { id, kind, liveVersion: live?.version ?? null, rebuiltVersion: rebuilt?.version ?? null };
}

function isConfirmed(
  { liveVersion, rebuiltVersion }: Difference,
  expected: Expectation | undefined,
  covered: LogPosition,
): boolean {
  const isAhead = liveVersion !== null && rebuiltVersion !== null && liveVersion >= rebuiltVersion;
  if (isAhead) return true;
  return expected !== undefined && expected.version === rebuiltVersion && covered >= expected.at;
}
