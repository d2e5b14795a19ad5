import { InvariantViolation } from '../../src/kernel/invariant';
import { BoundedMap } from '../../src/kernel/bounded-map';

function filled(limit: number, keys: string): BoundedMap<string, number> {
  const map = new BoundedMap<string, number>(limit);
  for (const [index, key] of [...keys].entries()) map.set(key, index);
  return map;
}

const held = (map: BoundedMap<string, number>, among = 'abcdef'): string =>
  [...among].filter(key => map.has(key)).join('');

describe('a bounded map', () => {
  test('answers the value that was set last, and nothing for a key that was never set', () => {
    const map = filled(3, 'aba');
    expect([map.get('a'), map.get('b'), map.get('c')]).toStrictEqual([2, 1, undefined]);
    expect([map.has('a'), map.has('c'), map.size]).toStrictEqual([true, false, 2]);
  });

  test('holds as many entries as its limit, and lets the oldest go', () => {
    const map = filled(3, 'abc');
    expect(held(map)).toBe('abc');
    map.set('d', 3);
    expect([held(map), map.size]).toStrictEqual(['bcd', 3]);
  });

  test('takes an entry that is set anew for the newest', () => {
    const map = filled(3, 'abca');
    map.set('d', 4);
    expect(held(map)).toBe('acd');
  });

  test('takes no entry for newer because it was read', () => {
    const map = filled(2, 'ab');
    map.get('a');
    map.set('c', 2);
    expect(held(map)).toBe('bc');
  });

  test('lets an entry go whose key is undefined, as any other', () => {
    const map = new BoundedMap<string | undefined, number>(1);
    map.set(undefined, 1);
    map.set('b', 2);
    expect([map.has(undefined), map.size]).toStrictEqual([false, 1]);
  });

  test('forgets one entry, or all of them', () => {
    const map = filled(3, 'abc');
    expect([map.delete('b'), map.delete('b'), held(map)]).toStrictEqual([true, false, 'ac']);
    map.clear();
    expect([held(map), map.size]).toStrictEqual(['', 0]);
  });

  test('gives its entries, the oldest first', () => {
    expect([...filled(2, 'abca')]).toStrictEqual([
      ['c', 2],
      ['a', 3],
    ]);
  });

  describe('of values that are weighed', () => {
    const weighed = (...lengths: readonly number[]): BoundedMap<string, number> => {
      const map = new BoundedMap<string, number>(3, { limit: 10, of: length => length });
      for (const [index, length] of lengths.entries()) map.set('abcdef'.charAt(index), length);
      return map;
    };

    test('lets as many of the oldest go as the newest weighs', () => {
      expect(held(weighed(4, 4, 2))).toBe('abc');
      expect(held(weighed(4, 4, 7))).toBe('c');
    });

    test('holds no more entries than without weights', () => {
      expect(held(weighed(1, 1, 1, 1))).toBe('bcd');
    });

    test('holds no entry that is too heavy alone, and no other one then', () => {
      expect(held(weighed(1, 11))).toBe('');
    });

    test('weighs no entry that is gone, be it set anew, deleted or cleared', () => {
      const map = weighed(5, 5);
      map.set('a', 4);
      map.set('c', 1);
      expect(held(map)).toBe('abc');
      map.delete('b');
      map.set('d', 5);
      expect(held(map)).toBe('acd');
      map.clear();
      map.set('e', 10);
      expect(held(map)).toBe('e');
    });
  });

  test('is refused with a limit below 1', () => {
    expect(() => new BoundedMap(0)).toThrow(InvariantViolation);
  });
});
