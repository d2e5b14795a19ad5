import { ALL_PROJECTIONS } from '../../projections/all';
import { BuildLock } from '../../projections/runner/build-lock';
import { buildingName } from '../../projections/runner/projection-build';
import { rebuildProjection } from '../../projections/runner/rebuild';
import type { Projection } from '../kernel/projection';
import { ReadModelRebuilds } from '../modules/system/read-model-rebuilds';
import { refuse } from '../vocabulary/errors';
import type { Core } from './core';

type Means = Pick<Core, 'store' | 'documents' | 'clock' | 'log'>;

/** The rebuilds that this process has begun. A stop ends them, and leaves the live documents as they were. */
export class Rebuilds extends ReadModelRebuilds {
  private readonly stopping = new AbortController();
  private readonly running = new Map<string, Promise<void>>();

  constructor(private readonly means: Means) {
    super();
  }

  async refuseUnfit(readModel: string): Promise<void> {
    const projection = projectionOf(readModel);
    const { documents, clock } = this.means;
    const isUnderWay =
      this.running.has(readModel) || (await BuildLock.underWay(documents, clock, buildingName(projection)));
    const message = `${readModel} is being built already.`;
    if (isUnderWay) throw refuse('invalid_state_transition', { message });
  }

  start(readModel: string): void {
    const running = this.build(projectionOf(readModel)).finally(() => this.running.delete(readModel));
    this.running.set(readModel, running);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running.values());
  }

  private async build(projection: Projection): Promise<void> {
    const { log, ...means } = this.means;
    const { signal } = this.stopping;
    try {
      const { events } = await rebuildProjection({ ...means, projection, signal });
      log.info({ projection: projection.name, events }, 'a read model was built anew');
    } catch (error) {
      if (!signal.aborted) log.error({ projection: projection.name, err: error }, 'a read model was not built anew');
    }
  }
}

function projectionOf(readModel: string): Projection {
  const found = ALL_PROJECTIONS.find(({ name }) => name === readModel);
  if (!found) throw refuse('resource_missing', { message: `There is no read model ${readModel}.` });
  return found;
}
