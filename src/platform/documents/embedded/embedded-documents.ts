import type { JsonObject } from '../../../vocabulary/json';
import type { Collection, CollectionSpec, Documents } from '../../../kernel/ports/documents';
import type { EmbeddedFile } from '../../embedded-file/embedded-file';
import {
  assertSpec,
  createCollection,
  dropHidden,
  hiddenTables,
  hideTable,
  renameCollection,
} from './collection-schema';
import { EmbeddedCollection } from './embedded-collection';

/** Collections as tables of JSON texts in the embedded file, which is its owner's to close. */
export class EmbeddedDocuments implements Documents {
  private readonly dropping = new Set<Promise<void>>();

  constructor(private readonly file: EmbeddedFile) {
    for (const table of hiddenTables(file)) this.dropInSteps(table);
  }

  async open<Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>> {
    assertSpec(spec);
    await this.file.write(() => createCollection(this.file, spec));
    return new EmbeddedCollection<Body>(this.file, spec);
  }

  async switch(building: string, live: string): Promise<void> {
    if (building === live) throw new RangeError(`${building} cannot take its own place`);
    const hidden = await this.file.write(() => {
      const old = hideTable(this.file, live);
      renameCollection(this.file, building, live);
      return old;
    });
    if (hidden) this.dropInSteps(hidden);
  }

  async drop(name: string): Promise<void> {
    const hidden = await this.file.write(() => hideTable(this.file, name));
    if (hidden) this.dropInSteps(hidden);
  }

  /** Waits until all drops have ended. */
  async close(): Promise<void> {
    await Promise.all(this.dropping);
  }

  /** Remaining rows are dropped at the next start. */
  private dropInSteps(table: string): void {
    const dropped = dropHidden(this.file, table).catch(() => undefined);
    this.dropping.add(dropped);
    void dropped.then(() => this.dropping.delete(dropped));
  }
}
