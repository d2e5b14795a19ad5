import { pageQuery } from '../../../src/platform/documents/mongodb/list-filter';

const FIELDS = ['merchant', 'created', 'id'];
const first = { index: 'by_created', equals: { merchant: 'a' }, limit: 10 };
const merchant = { 'body.merchant': { $eq: 'a' } };

describe('pageQuery', () => {
  it('binds, orders and names the index', () => {
    expect(pageQuery(FIELDS, { ...first, descending: true })).toStrictEqual({
      filter: { $and: [merchant] },
      sort: { 'body.created': -1, _id: -1 },
      hint: { 'body.merchant': 1, 'body.created': 1, _id: 1 },
      limit: 10,
    });
  });

  it('goes on by stretches of the index, each bound by all that is common', () => {
    const range = { from: 1, to: 9 };
    const within = { 'body.created': { $gte: 1, $lte: 9 } };
    expect(pageQuery(FIELDS, { ...first, range, after: { created: 5, id: 'x' } }).filter).toStrictEqual({
      $or: [
        { $and: [merchant, within, { 'body.created': { $gt: 5 } }] },
        { $and: [merchant, within, { 'body.created': { $gte: '' } }] },
        { $and: [merchant, within, { 'body.created': { $in: [false, true] } }] },
        { $and: [merchant, within, { 'body.created': { $eq: 5 } }, { _id: { $gt: 'x' } }] },
      ],
    });
  });

  it('goes below null to nothing, and above it to every other kind', () => {
    const query = { index: 'by_of', equals: {}, limit: 1, after: { of: null } };
    expect(pageQuery(['of'], { ...query, descending: true }).filter).toStrictEqual({
      $or: [{ $and: [{ _id: { $in: [] } }] }],
    });
    expect(pageQuery(['of'], query).filter).toStrictEqual({
      $or: [
        { $and: [{ 'body.of': { $gte: -Infinity } }] },
        { $and: [{ 'body.of': { $gte: '' } }] },
        { $and: [{ 'body.of': { $in: [false, true] } }] },
      ],
    });
  });

  it('cuts a page to its limit', () => {
    expect(pageQuery(['id'], { index: 'by_id', equals: {}, limit: 5_000 }).limit).toBe(1_000);
  });

  it.each([undefined, {}, []])('refuses to compare with %j', value => {
    const after = { created: value as never, id: 'x' };
    expect(() => pageQuery(FIELDS, { ...first, after })).toThrow(RangeError);
  });
});
