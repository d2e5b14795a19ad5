import { MongoNetworkError, MongoServerSelectionError } from 'mongodb';
import type { Collection } from '../../../src/kernel/ports/documents';
import { DuplicateKey } from '../../../src/kernel/ports/documents';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { MongoDocuments } from '../../../src/platform/documents/mongodb/mongo-documents';
import { rejection } from '../../contracts/contract-support';
import { doc } from '../../contracts/documents.contract';
import { duplicateKey, FakeMongo, serverError } from './fake-mongo';

describe('MongoCollection', () => {
  let mongo: FakeMongo;
  let users: Collection;

  beforeEach(async () => {
    mongo = new FakeMongo();
    const documents = new MongoDocuments({ close: () => Promise.resolve() }, mongo.asDb());
    users = await documents.open({
      name: 'users',
      indexes: { by_rank: ['rank', 'id'] },
      unique: { by_email: ['email'] },
    });
  });

  /** Fails the first `times` writes. */
  function failWrites(times: number, error: () => Error): () => number {
    let calls = 0;
    mongo.beforeWrite = () => {
      if (++calls <= times) throw error();
    };
    return () => calls;
  }

  const writes: [string, () => Promise<unknown>][] = [
    ['put', () => users.put(doc('one', 1))],
    ['putNewer', () => users.putNewer(doc('one', 1))],
    ['putAllNewer', () => users.putAllNewer([doc('one', 1)])],
    ['insert', () => users.insert(doc('one', 1))],
    ['replace', () => users.replace(doc('one', 1), 0)],
    ['deleteUpTo', () => users.deleteUpTo('one', 0)],
  ];

  it.each(writes)('%s says StoreUnavailable, with its cause, while the server is away', async (_, write) => {
    const cause = new MongoNetworkError('connection 7 to 127.0.0.1:27017 closed');
    failWrites(1, () => cause);
    const error = await rejection(write());
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).toMatchObject({ message: `MongoDB, users: ${cause.message}`, cause });
  });

  it.each(writes)('%s passes on what is neither an outage nor a duplicate', async (_, write) => {
    const cause = serverError(13, 'not authorized');
    failWrites(1, () => cause);
    expect(await rejection(write())).toBe(cause);
  });

  it.each([
    ['no server was found', new MongoServerSelectionError('no primary', {} as never)],
    ['the primary stepped down', serverError(189, 'primary stepped down')],
    ['a majority did not answer in time', serverError(64, 'waiting for replication timed out')],
    ['the server shuts down', serverError(91, 'shutdown in progress')],
  ])('takes it for an outage when %s', async (_, cause) => {
    failWrites(1, () => cause);
    expect(await rejection(users.insert(doc('one', 1)))).toBeInstanceOf(StoreUnavailable);
  });

  it.each([
    ['put', () => users.put(doc('one', 2, { by: 'this' })), undefined],
    ['putNewer', () => users.putNewer(doc('one', 2, { by: 'this' })), true],
  ])('%s tries again when another writer made the document at that moment', async (_, write, answer) => {
    await users.put(doc('one', 1, { by: 'other' }));
    const calls = failWrites(2, () => duplicateKey('_id_'));
    expect(await write()).toBe(answer);
    expect(calls()).toBe(3);
    expect((await users.get('one'))?.body).toStrictEqual({ by: 'this' });
  });

  it('putNewer looks at what stands before it says that it is newer', async () => {
    await users.put(doc('one', 5, { by: 'other' }));
    expect(await users.putNewer(doc('one', 5, { by: 'this' }))).toBe(false);
    expect(await users.putNewer(doc('one', 6, { by: 'this' }))).toBe(true);
  });

  it('gives a race up after a number of tries', async () => {
    const calls = failWrites(Infinity, () => duplicateKey('_id_'));
    expect(await rejection(users.put(doc('one', 1)))).toBeInstanceOf(StoreUnavailable);
    expect(calls()).toBe(16);
  });

  it('does not take another unique index for the id', async () => {
    const calls = failWrites(1, () => duplicateKey('by_email'));
    const error = await rejection(users.putNewer(doc('one', 1)));
    expect(error).toBeInstanceOf(DuplicateKey);
    expect(error).toMatchObject({ collection: 'users', index: 'by_email' });
    expect(calls()).toBe(1);
  });

  it('putAllNewer names the index that refused, after writing the others', async () => {
    await users.put(doc('one', 1, { email: 'ada@example.com' }));
    const all = [doc('two', 1, { email: 'ada@example.com' }), doc('three', 1, { email: 'grace@example.com' })];
    expect(await rejection(users.putAllNewer(all))).toMatchObject({ name: 'DuplicateKey', index: 'by_email' });
    expect(await users.get('three')).not.toBeNull();
  });

  it('refuses more in one write than its limit', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => doc(`id-${index}`));
    expect(await rejection(users.putAllNewer(many))).toBeInstanceOf(RangeError);
    expect(await users.count()).toBe(0);
  });

  it('says which document was not stored by this service', async () => {
    await mongo.collection('users').insertOne({ _id: 'foreign', name: 'Ada' });
    expect(await rejection(users.get('foreign'))).toMatchObject({
      name: 'TypeError',
      message: 'users/foreign was not stored by this service',
    });
  });
});
