import { itemsUnder } from './looks-in-turn';

const LOOKS = ['light', 'dark', 'narrow'];
const ITEMS = ['a', 'b', 'c', 'd'];
const under = (times: number) => LOOKS.map(look => itemsUnder(ITEMS, { looks: LOOKS, look, times }).join(''));

it('looks at each item under as many looks as asked for, and at neighbours under other ones', () => {
  expect(under(1)).toStrictEqual(['ad', 'b', 'c']);
  expect(under(2)).toStrictEqual(['acd', 'abd', 'bc']);
});

it('looks at each item under every look in a full search', () => {
  expect(under(LOOKS.length)).toStrictEqual(['abcd', 'abcd', 'abcd']);
});
