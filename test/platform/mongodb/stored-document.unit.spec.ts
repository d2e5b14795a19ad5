import { BSON, Decimal128, Long } from 'mongodb';
import type { JsonObject } from '../../../src/vocabulary/json';
import { fromStored, toStored, type StoredDocument } from '../../../src/platform/documents/mongodb/stored-document';

const NONE: ReadonlySet<string> = new Set();

function throughBson(body: JsonObject): { stored: StoredDocument; back: unknown } {
  const stored = toStored('users', { id: 'one', version: 3, body }, NONE);
  return { stored, back: fromStored('users', BSON.deserialize(BSON.serialize(stored))) };
}

describe('stored documents', () => {
  it.each<[string, JsonObject]>([
    ['a name that begins a reference', { $ref: 'users', $id: 'one', $db: 'x' }],
    ['the name of an operator, deep inside', { list: [{ deep: { $set: 1 } }] }],
    ["the driver's own type mark", { _bsontype: 'ObjectId', id: 'x' }],
    ['a zero character', { 'a\0b': 1 }],
    ['the escape itself', { '~': 1, '~b': 2, '~$x': 3, '~~0': 4, '~\0': 5 }],
    ['dots', { 'a.b': { '.': 1 } }],
    ['an empty name', { '': 1 }],
    ['a dollar inside', { a$b: 1 }],
  ])('hold members with %s', (_, body) => {
    expect(throughBson({ metadata: body }).back).toStrictEqual({ id: 'one', version: 3, body: { metadata: body } });
  });

  it('are stored under their own names, and marked where a name is not its own', () => {
    expect(throughBson({ amount: '12', none: null }).stored).toStrictEqual({
      _id: 'one',
      version: 3,
      body: { amount: '12', none: null },
    });
    expect(throughBson({ $set: 1 }).stored).toStrictEqual({
      _id: 'one',
      version: 3,
      body: { '~$set': 1 },
      escaped: true,
    });
  });

  it.each<[string, unknown]>([
    ['a big integer of another writer', { _id: 'one', version: 1, body: { of: Long.fromString('9007199254740993') } }],
    ['a decimal of another writer', { _id: 'one', version: 1, body: { of: Decimal128.fromString('1.5') } }],
    ['a date', { _id: 'one', version: 1, body: { of: new Date(0) } }],
    ['a version that is no whole number', { _id: 'one', version: 1.5, body: {} }],
    ['no body', { _id: 'one', version: 1 }],
    ['a list for a body', { _id: 'one', version: 1, body: [] }],
    ['an id that is no text', { _id: 1, version: 1, body: {} }],
  ])('are refused when read with %s', (_, stored) => {
    expect(() => fromStored('users', BSON.deserialize(BSON.serialize(stored as object)))).toThrow(TypeError);
  });

  it('are refused with a list where an index is, and with too much', () => {
    const document = { id: 'one', version: 1, body: { tags: ['a'] } };
    expect(() => toStored('users', document, new Set(['tags']))).toThrow(RangeError);
    const body = { text: 'x'.repeat(4 * 1_024 * 1_024) };
    expect(() => toStored('users', { id: 'one', version: 1, body }, NONE)).toThrow('is longer than 4194304 bytes');
  });
});
