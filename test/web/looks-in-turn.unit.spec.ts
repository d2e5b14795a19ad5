import { itemsUnder, itemsWithLooks } from './looks-in-turn';

const LOOKS = ['light', 'dark', 'narrow'];
const ITEMS = [...'abcdefghi'];
const under = (count: number) => LOOKS.map(look => itemsUnder(ITEMS, { looks: LOOKS, look, count }).join(''));

it('looks at as many items as asked for, at other ones under each look', () => {
  expect(under(1)).toStrictEqual(['a', 'd', 'g']);
  expect(under(2)).toStrictEqual(['ae', 'bg', 'dh']);
  expect(under(3)).toStrictEqual(['adg', 'beh', 'cfi']);
});

it('looks at each item under every look in a full search', () => {
  expect(under(ITEMS.length)).toStrictEqual(Array.from(LOOKS, () => 'abcdefghi'));
  expect(under(1_000)).toStrictEqual(under(ITEMS.length));
});

it('names each item of a group once, with its looks', () => {
  const withLooks = (group: readonly string[], count: number) =>
    itemsWithLooks(ITEMS, { looks: LOOKS, group, count }).map(({ item, under: looks }) => [item, ...looks].join(' '));
  expect(withLooks(['light', 'narrow'], 1)).toStrictEqual(['a light', 'g narrow']);
  expect(withLooks(['light', 'narrow'], 1_000)).toStrictEqual(ITEMS.map(item => `${item} light narrow`));
});
