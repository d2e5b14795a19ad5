import type { JsonObject } from '../../../kernel/json';
import type { Collection, CollectionSpec, Documents } from '../../../kernel/ports/documents';
import type { EmbeddedFile } from '../../embedded-file/embedded-file';
import { assertSpec, createCollection, dropAside, renameCollection, setAside, tablesAside } from './collection-schema';
import { EmbeddedCollection } from './embedded-collection';

/** Collections as tables of JSON texts in the embedded file, which is its owner's to close. */
export class EmbeddedDocuments implements Documents {
  private readonly dropping = new Set<Promise<void>>();

  constructor(private readonly file: EmbeddedFile) {
    for (const table of tablesAside(file)) this.dropInSteps(table);
  }

  async open<Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>> {
    assertSpec(spec);
    await this.file.write(() => createCollection(this.file, spec));
    return new EmbeddedCollection<Body>(this.file, spec);
  }

  async switch(building: string, live: string): Promise<void> {
    if (building === live) throw new RangeError(`${building} cannot take its own place`);
    const aside = await this.file.write(() => {
      const old = setAside(this.file, live);
      renameCollection(this.file, building, live);
      return old;
    });
    if (aside) this.dropInSteps(aside);
  }

  async drop(name: string): Promise<void> {
    const aside = await this.file.write(() => setAside(this.file, name));
    if (aside) this.dropInSteps(aside);
  }

  /** Waits for what is being dropped. */
  async close(): Promise<void> {
    await Promise.all(this.dropping);
  }

  /** What is left over is dropped at the next start. */
  private dropInSteps(table: string): void {
    const dropped = dropAside(this.file, table).catch(() => undefined);
    this.dropping.add(dropped);
    void dropped.then(() => this.dropping.delete(dropped));
  }
}
