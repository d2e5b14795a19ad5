import { invariant } from '../../src/kernel/invariant';
import type { Log } from '../../src/kernel/ports/log';
import type { Projection } from '../../src/kernel/projection';
import { BuildLock } from './build-lock';
import { buildingName, type BuildParts } from './projection-build';
import { rebuildProjection } from './rebuild';

type RebuildsParts = Pick<BuildParts<never>, 'store' | 'documents' | 'clock'> & {
  readonly projections: readonly Projection[];
  readonly log: Log;
};

/** The rebuilds that this process has begun. A stop ends them, and leaves the live documents as they were. */
export class Rebuilds {
  private readonly stopping = new AbortController();
  private readonly running = new Map<string, Promise<void>>();

  constructor(private readonly parts: RebuildsParts) {}

  /** Whether a build of the read model is under way in any process; null for an unknown one. */
  async standing(readModel: string): Promise<'at_rest' | 'under_way' | null> {
    const { documents, clock } = this.parts;
    const projection = this.find(readModel);
    if (!projection) return null;
    const isUnderWay =
      this.running.has(readModel) || (await BuildLock.underWay(documents, clock, buildingName(projection)));
    return isUnderWay ? 'under_way' : 'at_rest';
  }

  /** Goes on after the answer. Two requests that come at once share one build. */
  start(readModel: string): void {
    if (this.running.has(readModel)) return;
    const projection = this.find(readModel);
    invariant(projection, `the read model ${readModel} is known`);
    const running = this.build(projection).finally(() => this.running.delete(readModel));
    this.running.set(readModel, running);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running.values());
  }

  private find(readModel: string): Projection | undefined {
    return this.parts.projections.find(({ name }) => name === readModel);
  }

  private async build(projection: Projection): Promise<void> {
    const { store, documents, clock, log } = this.parts;
    const { signal } = this.stopping;
    try {
      const { events } = await rebuildProjection({ store, documents, clock, projection, signal });
      log.info({ projection: projection.name, events }, 'a read model was built anew');
    } catch (error) {
      if (!signal.aborted) log.error({ projection: projection.name, err: error }, 'a read model was not built anew');
    }
  }
}
