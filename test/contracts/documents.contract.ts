import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, CollectionSpec, Document, Documents } from '../../src/kernel/ports/documents';
import { CONTRACT_TIMEOUT_MS, uniqueName } from './contract-support';
import { listCases } from './documents-list.cases';
import { switchCases } from './documents-switch.cases';
import { writeCases } from './documents-write.cases';

export type OpenedDocuments = { readonly documents: Documents; close(): Promise<void> };

export type DocumentsUnderTest = {
  documents(): Documents;
  reopen(): Promise<void>;
  /** A collection of a unique name with these indexes. */
  collection(spec?: Partial<CollectionSpec>): Promise<Collection>;
};

export function doc(id: string, version = 0, body: JsonObject = {}): Document {
  return { id, version, body };
}

/**
 * The contract of a document store. `open` opens the same data each time, and is called anew only after `close`.
 * Collections have names of their own and are dropped at the end, so other tests may use the same data.
 */
export function documentsContract(name: string, open: () => Promise<OpenedDocuments>): void {
  describe(`documents: ${name}`, () => {
    jest.setTimeout(CONTRACT_TIMEOUT_MS);
    const made: string[] = [];
    let opened: OpenedDocuments;
    beforeAll(async () => (opened = await open()));
    afterAll(async () => {
      for (const collection of made) await opened.documents.drop(collection);
      await opened.close();
    });

    const underTest: DocumentsUnderTest = {
      documents: () => opened.documents,
      reopen: async () => {
        await opened.close();
        opened = await open();
      },
      collection: spec => {
        const whole = { name: uniqueName('contract'), indexes: {}, ...spec };
        made.push(whole.name);
        return opened.documents.open(whole);
      },
    };
    describe('write', () => writeCases(underTest));
    describe('list', () => listCases(underTest));
    describe('switch and drop', () => switchCases(underTest));
  });
}
