import type { Clock } from '../../src/kernel/clock';
import { invariant } from '../../src/kernel/invariant';
import type { JsonObject } from '../../src/vocabulary/json';
import type { LogPosition } from '../../src/kernel/log-position';
import type { Document } from '../../src/kernel/ports/documents';
import { proveCheckpoint } from './checkpoint-proof';
import { Checkpoints, NOTHING_COVERED, type Coverage, type StoredCheckpoint } from './checkpoints';
import { LogMarks } from './log-marks';
import { BUILDING, ProjectionBuild, type BuildParts } from './projection-build';
import { collectionSpec, scan } from './projection-collection';

/**
 * Each round after the first reads only the events that were appended during the one before. So many rounds make the
 * rest small.
 */
const CATCH_UP_ROUNDS = 4;
const SWITCH_TRIES = 16;
/** The version of a projection whose documents are doubtful: no projection has it, so the runner rebuilds. */
const DISTRUSTED_VERSION = 0;

type Rebuilt = { readonly projection: string; readonly position: LogPosition; readonly events: number };

/**
 * Builds the projection beside the live collection from the log's start, catches up, and switches; reads go on all the
 * while. Killed, it leaves the live collection as it was, and the next rebuild starts anew. Throws PoisonEvent, or
 * BuildUnderWay while another process builds the same.
 *
 * The switch loses nothing, though commands and runners write to the live collection until then. Say that the built
 * collection is complete up to position P.
 *
 * A document put into the old collection for an event behind P goes down with it. From the switch on the checkpoint
 * says P, so the runner applies that event again. A read by id reads the stream from the document's revision on.
 *
 * A put after the switch carries a document folded from everything before it. The guard by version takes it for the
 * newest.
 *
 * A runner could read a document from the new collection, not knowing that it lacks events behind P. So the checkpoint
 * is marked `switching` before the switch. The runner looks at the mark after reading documents and before writing.
 * Documents read before the mark are of the old collection and complete. Otherwise the runner drops the batch, waits
 * for the new generation, and goes on from P.
 */
export async function rebuildProjection<Body extends JsonObject>(parts: BuildParts<Body>): Promise<Rebuilt> {
  const { store, documents, projection, clock } = parts;
  const checkpoints = await Checkpoints.open(documents, clock);
  // The live collection must stand, so that reads find it, even when nothing was ever written to it.
  await documents.open(collectionSpec(projection));
  const build = await ProjectionBuild.begin(parts, BUILDING);
  let isSwitched = false;
  try {
    await distrustUnproven(checkpoints, parts);
    for (let round = 1; round <= CATCH_UP_ROUNDS && (await build.catchUp()) > 0; round++);
    await build.switchTo(projection.name, async perform => {
      const coverage = await new LogMarks(store).coverage(build.position, build.restartFrom);
      invariant(coverage, `${projection.name}: the log has lost what was built of it`);
      const marked = await markSwitching(checkpoints, projection.name, coverage);
      await perform();
      isSwitched = true;
      await markSwitched(checkpoints, marked, projection.version);
    });
    // Opening by the projection's own spec drops the index that only scans need.
    await documents.open(collectionSpec(projection));
  } finally {
    if (!isSwitched) await build.drop();
  }
  return { projection: projection.name, position: build.position, events: build.events };
}

/** Documents of events that the log does not hold are followed by no reader, however this rebuild ends. */
async function distrustUnproven<Body extends JsonObject>(
  checkpoints: Checkpoints,
  { store, projection }: BuildParts<Body>,
): Promise<void> {
  const standing = await checkpoints.load(projection.name);
  if (!standing || (await proveCheckpoint(store, standing.body)) === 'sound') return;
  const generation = standing.body.generation + 1;
  const facts = {
    ...NOTHING_COVERED,
    version: DISTRUSTED_VERSION,
    generation,
    state: 'following',
    error: null,
  } as const;
  await checkpoints.save(projection.name, standing, { ...facts, events_per_second: 0 });
}

async function markSwitching(checkpoints: Checkpoints, name: string, coverage: Coverage): Promise<StoredCheckpoint> {
  for (let tries = 1; tries <= SWITCH_TRIES; tries++) {
    const standing = await checkpoints.load(name);
    const generation = standing?.body.generation ?? 0;
    const version = standing?.body.version ?? DISTRUSTED_VERSION;
    const facts = { version, generation, state: 'switching', error: null, events_per_second: 0 } as const;
    // Until the switch is done the smaller position holds for both collections, whichever a crash leaves in place.
    const safe = standing && standing.body.position < coverage.position ? coverageOf(standing) : coverage;
    const marked = await checkpoints.save(name, standing, { ...facts, ...safe });
    if (marked) return { ...marked, body: { ...marked.body, ...coverage } };
  }
  invariant(false, `${name}: the checkpoint was written by others ${SWITCH_TRIES} times while it was to be switched`);
}

function coverageOf({ body: { position, event_id, restart_from, log } }: StoredCheckpoint): Coverage {
  return { position, event_id, restart_from, log };
}

async function markSwitched(checkpoints: Checkpoints, marked: StoredCheckpoint, version: number): Promise<void> {
  const { id, body } = marked;
  const facts = { ...body, version, generation: body.generation + 1, state: 'following' as const };
  if (await checkpoints.save(id, marked, facts)) return;
  // This process was away so long that the runner went on without it. Its later writes cannot be told apart, so it
  // rebuilds.
  for (let tries = 1; tries <= SWITCH_TRIES; tries++) {
    const standing = await checkpoints.load(id);
    const generation = Math.max(body.generation, standing?.body.generation ?? 0) + 1;
    const distrusted = { ...facts, version: DISTRUSTED_VERSION, generation };
    if (await checkpoints.save(id, standing, distrusted)) return;
  }
}

/**
 * The projection's documents as of a moment, by ascending id. The documents are folded into a collection that is
 * dropped afterwards. The fold takes all events in log order before the first one recorded later than `asOfMs`.
 */
export async function* documentsAsOf<Body extends JsonObject>(
  parts: BuildParts<Body> & { readonly clock: Clock },
  asOfMs: number,
): AsyncGenerator<Document<Body>> {
  const build = await ProjectionBuild.begin(parts, 'as_of');
  try {
    await build.catchUp({ asOfMs });
    yield* scan(build.collection);
  } finally {
    await build.drop();
  }
}
