import { StoreUnavailable } from '../../src/kernel/ports/event-store';
import { MongoDocuments } from '../../src/platform/documents/mongodb/mongo-documents';
import { rejection } from './contract-support';
import { documentsContract } from './documents.contract';

const url = process.env.MONGODB_URL;

if (url) {
  documentsContract('mongodb', async () => {
    const documents = await MongoDocuments.connect(url);
    return { documents, close: () => documents.close() };
  });
}

describe('connecting to MongoDB', () => {
  it.each(['http://127.0.0.1:27017', 'mongodb://', '127.0.0.1', 'mongodb://127.0.0.1:99999999/x'])(
    'refuses the URL %s and says what one looks like',
    async bad => {
      const error = await rejection(MongoDocuments.connect(bad));
      expect(error).toBeInstanceOf(RangeError);
      expect(error).toMatchObject({ message: expect.stringContaining('mongodb://host:port/database') as string });
    },
  );

  it('does not repeat a password', async () => {
    const error = await rejection(MongoDocuments.connect('mongodb://ada:hunter2@[bad/x?nonsense=1'));
    expect((error as Error).message).not.toContain('hunter2');
  });

  it('says StoreUnavailable when nobody listens', async () => {
    const nobody = 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=200';
    expect(await rejection(MongoDocuments.connect(nobody))).toBeInstanceOf(StoreUnavailable);
  });
});
