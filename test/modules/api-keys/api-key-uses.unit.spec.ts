import type { JsonObject } from '../../../src/vocabulary/json';
import type { Collection, CollectionSpec, Documents } from '../../../src/kernel/ports/documents';
import { ApiKeyUses } from '../../../src/modules/api-keys/api-key-uses';
import { MemoryDocuments } from '../../support/memory-documents';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const KEY = 'key_00000000000000000000000001';

/** Stops around each read and each write of a collection, where the test acts. */
class WatchedDocuments implements Pick<Documents, 'open'> {
  private readonly documents = new MemoryDocuments();
  beforeWrite = () => Promise.resolve();
  afterRead = () => Promise.resolve();

  async open<Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>> {
    const collection = await this.documents.open<Body>(spec);
    const get: Collection<Body>['get'] = async id => {
      const found = await collection.get(id);
      await this.afterRead();
      return found;
    };
    const putAllNewer: Collection<Body>['putAllNewer'] = async written => {
      await this.beforeWrite();
      await collection.putAllNewer(written);
    };
    return Object.assign(Object.create(collection) as Collection<Body>, { get, putAllNewer });
  }
}

describe('the uses of keys', () => {
  let documents: WatchedDocuments;
  let uses: ApiKeyUses;

  beforeEach(async () => {
    documents = new WatchedDocuments();
    uses = await ApiKeyUses.open(documents as unknown as Documents);
    uses.note(KEY, NOON);
  });

  it('show a use while it is being written', async () => {
    let shown: string | null = null;
    documents.beforeWrite = async () => {
      shown = await uses.lastUsedAt(KEY);
    };
    await uses.flush();
    expect(shown).toBe('2026-11-01T12:00:00.000Z');
  });

  it('show a use that is written between two looks', async () => {
    documents.afterRead = () => uses.flush();
    expect(await uses.lastUsedAt(KEY)).toBe('2026-11-01T12:00:00.000Z');
  });

  it('keep a use that came while an earlier one was being written', async () => {
    documents.beforeWrite = async () => uses.note(KEY, NOON + 1_000);
    await uses.flush();
    expect(await uses.lastUsedAt(KEY)).toBe('2026-11-01T12:00:01.000Z');
    documents.beforeWrite = () => Promise.resolve();
    await uses.flush();
    expect(await (await ApiKeyUses.open(documents as unknown as Documents)).lastUsedAt(KEY)).toBe(
      '2026-11-01T12:00:01.000Z',
    );
  });

  it('are written later where they could not be written', async () => {
    documents.beforeWrite = () => Promise.reject(new Error('away'));
    await expect(uses.flush()).rejects.toThrow('away');
    documents.beforeWrite = () => Promise.resolve();
    await uses.flush();
    const restarted = await ApiKeyUses.open(documents as unknown as Documents);
    expect(await restarted.lastUsedAt(KEY)).toBe('2026-11-01T12:00:00.000Z');
  });
});
