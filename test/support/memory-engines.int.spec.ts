import { documentsContract } from '../contracts/documents.contract';
import { eventStoreContract } from '../contracts/event-store.contract';
import { MemoryDocuments } from './memory-documents';
import { MemoryEventStore } from './memory-event-store';

// The stand-ins of the engines in fast tests keep their contract.
let store = new MemoryEventStore();
eventStoreContract('memory', () => {
  store = new MemoryEventStore(store);
  return Promise.resolve({ store, close: () => store.close() });
});

const documents = new MemoryDocuments();
documentsContract('memory', () => Promise.resolve({ documents, close: () => documents.close() }));
