import { ALL_PROJECTIONS } from '../../projections/all';
import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, CollectionSpec, Documents } from '../../src/kernel/ports/documents';
import { StoreUnavailable } from '../../src/kernel/ports/event-store';
import { mirroredCategory } from '../../src/kernel/projection';

const MIRRORS = new Set(
  ALL_PROJECTIONS.filter(projection => mirroredCategory(projection) !== null).map(({ name }) => name),
);
const WRITES: readonly PropertyKey[] = ['putNewer', 'deleteUpTo'];

/** Documents that mirror a stream are written only while `mirrors` says so, which is asked before each write. */
export class UnmirroredDocuments implements Documents {
  constructor(
    private readonly documents: Documents,
    private readonly mirrors: () => boolean,
  ) {}

  async open<Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>> {
    const collection = await this.documents.open<Body>(spec);
    return MIRRORS.has(spec.name) ? this.interrupted(collection) : collection;
  }

  switch(building: string, live: string): Promise<void> {
    return this.documents.switch(building, live);
  }

  drop(name: string): Promise<void> {
    return this.documents.drop(name);
  }

  close(): Promise<void> {
    return this.documents.close();
  }

  private interrupted<Body extends JsonObject>(collection: Collection<Body>): Collection<Body> {
    return new Proxy(collection, {
      get: (target, name): unknown => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...asked: unknown[]): unknown => {
          if (WRITES.includes(name) && !this.mirrors()) return Promise.reject(new StoreUnavailable('not written'));
          return Reflect.apply(member, target, asked);
        };
      },
    });
  }
}
