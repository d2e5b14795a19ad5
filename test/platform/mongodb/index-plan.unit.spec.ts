import { keyPattern, planIndexes } from '../../../src/platform/documents/mongodb/index-plan';

const ID_INDEX = { name: '_id_', key: { _id: 1 } };
const byRank = { name: 'by_rank', key: { 'body.rank': 1, _id: 1 }, unique: false };
const byEmail = { name: 'by_email', key: { 'body.email': 1 }, unique: true };

describe('planIndexes', () => {
  const spec = { name: 'users', indexes: { by_rank: ['rank', 'id'], all: ['id'] }, unique: { by_email: ['email'] } };

  it('makes the absent indexes, but never the index of the id', () => {
    expect(planIndexes(spec, [ID_INDEX])).toStrictEqual({ drop: [], create: [byEmail, byRank] });
  });

  it('changes nothing where all stand, and leaves those of others', () => {
    const standing = [ID_INDEX, byRank, byEmail, { name: 'theirs', key: { 'body.name': 1 } }];
    expect(planIndexes(spec, standing)).toStrictEqual({ drop: [], create: [] });
  });

  it.each([
    ['other fields', { name: 'by_email', key: { 'body.mail': 1 }, unique: true }],
    ['another order', { name: 'by_rank', key: { _id: 1, 'body.rank': 1 } }],
    ['no uniqueness', { name: 'by_email', key: { 'body.email': 1 } }],
    ['another name', { name: 'email_1', key: { 'body.email': 1 }, unique: true }],
  ])('makes anew what stands with %s', (_, standing) => {
    expect(planIndexes(spec, [ID_INDEX, standing]).drop).toStrictEqual([standing.name]);
  });

  it('makes one index of two with the same fields: the unique one', () => {
    const twice = { name: 'users', indexes: { plain: ['email'] }, unique: { by_email: ['email'] } };
    expect(planIndexes(twice, [ID_INDEX]).create).toStrictEqual([byEmail]);
  });

  it('keeps the order of the fields', () => {
    expect(Object.keys(keyPattern(['merchant', 'created', 'id']))).toStrictEqual([
      'body.merchant',
      'body.created',
      '_id',
    ]);
  });
});
