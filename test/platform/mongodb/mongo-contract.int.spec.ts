import { MongoDocuments } from '../../../src/platform/documents/mongodb/mongo-documents';
import { documentsContract } from '../../contracts/documents.contract';
import { FakeMongo } from './fake-mongo';

const mongo = new FakeMongo();

documentsContract('mongodb adapter over a fake server', () => {
  const documents = new MongoDocuments({ close: () => Promise.resolve() }, mongo.asDb());
  return Promise.resolve({ documents, close: () => documents.close() });
});
