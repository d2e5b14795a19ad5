import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import { refuse } from '../../vocabulary/errors';
import type { JsonObject } from '../../vocabulary/json';
import { auditEntries } from './audit-entry';

/** The documents port, over which no part of the service changes a row of the audit log, or removes one. */
export function appendOnlyDocuments(documents: Documents): Documents {
  return {
    async open<Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>> {
      const collection = await documents.open<Body>(spec);
      return spec.name === auditEntries.name ? insertOnly(collection) : collection;
    },
    // A rebuild puts the log's own rows in their place.
    switch: (building, live) => documents.switch(building, live),
    drop: name => (name === auditEntries.name ? violated() : documents.drop(name)),
    close: () => documents.close(),
  };
}

function insertOnly<Body extends JsonObject>(collection: Collection<Body>): Collection<Body> {
  return {
    get: id => collection.get(id),
    getAll: ids => collection.getAll(ids),
    list: query => collection.list(query),
    count: () => collection.count(),
    insert: document => collection.insert(document),
    insertAll: documents => collection.insertAll(documents),
    put: violated,
    putNewer: violated,
    putAllNewer: violated,
    replace: violated,
    deleteUpTo: violated,
    deleteAt: violated,
  };
}

function violated(): Promise<never> {
  return Promise.reject(refuse('append_only_violation'));
}
