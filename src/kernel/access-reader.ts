import { NO_REVISION, type AccessRevisions } from './access-revisions';
import { BoundedMap } from './bounded-map';
import { streamName } from './event';
import type { Universe } from '../vocabulary/modes';
import { invariant } from './invariant';
import type { JsonObject } from '../vocabulary/json';
import { outageOf } from './outage';
import type { Document } from './ports/documents';
import { NEWEST_EVENT, type EventStore } from './ports/event-store';
import type { ReadModel, ReadModels } from './ports/read-models';

/** Documents kept in memory, some kilobytes each at most. */
const DOCUMENTS_LIMIT = 10_000;

/** The one document that mirrors the stream of the id. */
type Mirrored<Body extends JsonObject = JsonObject> = {
  readonly readModel: ReadModel<Body>;
  readonly universe: Universe;
  readonly id: string;
};
type BodyOf<Asked> = Asked extends { readonly readModel: ReadModel<infer Body> } ? Body : never;
/** Null stands for a question that does not arise, such as one for a merchant's clock in live mode. */
type Question = Mirrored | null;
type Answered<Asked extends readonly Question[]> = {
  -readonly [Index in keyof Asked]: Document<BodyOf<Asked[Index]>> | null;
};

type AnsweredLists<Lists extends readonly (readonly Question[])[]> = {
  -readonly [Index in keyof Lists]: Answered<Lists[Index]>;
};

/** The category of the streams that a read model's documents mirror, by the read model's name. */
export type AccessCategories = ReadonlyMap<string, string>;

type Known = { readonly document: Document | null; readonly revision: number };

/**
 * Reads documents that can be withdrawn: keys, accounts, settings, clocks. A document from memory counts only while its
 * revision is the one that the stream's access document tells now. Otherwise the stream is read from there on.
 */
export class AccessReader {
  private readonly known = new BoundedMap<string, Known>(DOCUMENTS_LIMIT);

  constructor(
    private readonly readModels: Pick<ReadModels, 'fold' | 'freshen'>,
    private readonly store: Pick<EventStore, 'readStream'>,
    private readonly revisions: AccessRevisions,
    private readonly categories: AccessCategories,
  ) {}

  /**
   * Each document as of its stream's newest event, in one round trip where all of them are known. Null where there is
   * no stream, and for a question of null.
   */
  async read<const Asked extends readonly Question[]>(asked: Asked): Promise<Answered<Asked>> {
    const [answered] = await this.readLists([asked]);
    return answered;
  }

  /** The answers of `read` to several lists of questions, in one round trip together. */
  async readLists<const Lists extends readonly (readonly Question[])[]>(lists: Lists): Promise<AnsweredLists<Lists>> {
    const asked = new Map(lists.flat().flatMap(each => (each === null ? [] : [[this.streamOf(each), each] as const])));
    const told = await this.revisions.of([...asked.keys()]);
    const found = new Map<string, Document | null>();
    const reading = Array.from(asked, async ([stream, each]) => {
      found.set(stream, await this.newest(each, stream, told.get(stream)));
    });
    await Promise.all(reading);
    const answers = lists.map(list =>
      list.map(each => (each === null ? null : (found.get(this.streamOf(each)) ?? null))),
    );
    return answers as AnsweredLists<Lists>;
  }

  private async newest(asked: Mirrored, stream: string, told: number | undefined): Promise<Document | null> {
    const known = this.known.get(stream);
    if (known && known.revision === told) return known.document;
    const document = await this.readAgain(asked, stream, known?.document ?? null);
    const revision = document?.version ?? NO_REVISION;
    this.known.set(stream, { document, revision });
    if (told === undefined || told < revision) await this.tell(stream, revision);
    return document;
  }

  /**
   * The first read is of the stream alone: after a restore of the log, a document may tell of events that the log has
   * lost.
   */
  private async readAgain({ readModel, universe, id }: Mirrored, stream: string, known: Document | null) {
    if (known) return this.readModels.freshen(readModel, universe, known, id);
    const history = await this.store.readStream(stream, readModel.restates ? NEWEST_EVENT : {});
    return this.readModels.fold(readModel, history).at(0) ?? null;
  }

  /**
   * Makes the access document of a stream that has none. A process that cannot write reads the stream anew each time.
   */
  private async tell(stream: string, revision: number): Promise<void> {
    try {
      await this.revisions.raise(stream, revision);
    } catch (error) {
      if (outageOf(error) === null) throw error;
    }
  }

  private streamOf({ readModel, universe, id }: Mirrored): string {
    const category = this.categories.get(readModel.name);
    invariant(category !== undefined, `no access document tells of ${readModel.name}`);
    return streamName(universe, category, id);
  }
}
