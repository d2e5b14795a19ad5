import { MINUTE_MS, SECOND_MS, type Clock } from '../../src/kernel/clock';
import type { Documents } from '../../src/kernel/ports/documents';
import type { ReadModel } from '../../src/kernel/ports/read-models';
import { Checkpoints } from './checkpoints';

/** Documents that were of the code's version count as such for so long; the next look holds up no reader. */
const TRUSTED_MS = 10 * SECOND_MS;
/** While looks fail or are missing, the version counts as unknown from here on: a reader waits for the next look. */
const TRUSTED_AT_MOST_MS = MINUTE_MS;

type Named = Pick<ReadModel, 'name' | 'version'>;

/**
 * Whether a read model's documents are of the version that the code knows. After an upgrade they are not, until the
 * rebuild is done.
 */
export class StoredVersions {
  private checkpoints: Checkpoints | null = null;
  /** The last time, in wall milliseconds, at which documents were seen to be of the code's version. */
  private readonly seenCurrent = new Map<string, number>();
  private readonly looking = new Map<string, Promise<boolean>>();

  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  async isCurrent(readModel: Named): Promise<boolean> {
    const seenMs = this.seenCurrent.get(keyOf(readModel));
    if (seenMs === undefined) return this.look(readModel);
    const ageMs = this.clock.now() - seenMs;
    if (ageMs >= TRUSTED_AT_MOST_MS) return this.look(readModel);
    // Where the look fails, the next reader's look may succeed.
    if (ageMs >= TRUSTED_MS) void this.look(readModel).catch(() => undefined);
    return true;
  }

  private look(readModel: Named): Promise<boolean> {
    const key = keyOf(readModel);
    const underWay = this.looking.get(key);
    if (underWay) return underWay;
    const looking = this.lookOnce(readModel).finally(() => this.looking.delete(key));
    this.looking.set(key, looking);
    return looking;
  }

  private async lookOnce(readModel: Named): Promise<boolean> {
    const checkpoints = (this.checkpoints ??= await Checkpoints.open(this.documents, this.clock));
    const standing = await checkpoints.load(readModel.name);
    // Without a checkpoint no other program has filled the documents.
    const isCurrent = standing === null || standing.body.version === readModel.version;
    if (isCurrent) this.seenCurrent.set(keyOf(readModel), this.clock.now());
    else this.seenCurrent.delete(keyOf(readModel));
    return isCurrent;
  }
}

function keyOf({ name, version }: Named): string {
  return `${name}/${version}`;
}
