import type { BlockHeader } from '../../src/kernel/ports/chain';
import { BlockTail, TAIL_BLOCKS } from '../../src/watchers/block-tail';

function header(number: number, fork = 'a'): BlockHeader {
  return { number, hash: `0x${fork}${number}`, parentHash: `0x${fork}${number - 1}`, timeMs: number * 1_000 };
}

describe('the remembered end of a chain', () => {
  let tail: BlockTail;

  beforeEach(() => {
    tail = new BlockTail();
    for (let number = 1; number <= 5; number++) tail.add(header(number));
  });

  it('forgets every block above one that was replaced, also where the new branch is shorter', () => {
    expect(tail.add(header(3, 'b'))).toBe(true);
    expect([1, 2, 3, 4, 5].map(number => tail.at(number)?.hash ?? null)).toStrictEqual([
      '0xa1',
      '0xa2',
      '0xb3',
      null,
      null,
    ]);
    expect(tail.height).toBe(3);
    expect(tail.has(header(5))).toBe(false);
  });

  it('tells a block that follows from one that replaces', () => {
    expect(tail.add(header(6))).toBe(false);
    expect(tail.has(header(5))).toBe(true);
  });

  describe('that is to be scanned once more', () => {
    beforeEach(() => tail.reopen());

    it('has no block that is scanned', () => {
      expect(tail.has(header(5))).toBe(false);
      expect(tail.at(5)).toBeNull();
      expect(tail.height).toBe(-1);
    });

    it('tells which blocks stood where they did', () => {
      expect(tail.stoodAs(header(3))).toBe(true);
      expect(tail.stoodAs(header(3, 'b'))).toBe(false);
      expect(tail.stoodAs(header(6))).toBe(false);
    });

    it('tells a block that has replaced one from one that stands', () => {
      expect(tail.add(header(1))).toBe(false);
      expect(tail.add(header(2, 'b'))).toBe(true);
      expect(tail.add(header(6))).toBe(false);
    });

    it('tells of a block once that it has replaced another', () => {
      expect(tail.add(header(4, 'b'))).toBe(true);
      expect(tail.stoodAs(header(4))).toBe(false);
      tail.reopen();
      expect(tail.add(header(4, 'b'))).toBe(false);
    });

    it('remembers what stood before over a second time', () => {
      tail.add(header(1));
      tail.reopen();
      expect([1, 5].map(number => tail.stoodAs(header(number)))).toStrictEqual([true, true]);
      expect(tail.add(header(5, 'b'))).toBe(true);
    });

    it('remembers so many blocks and no more', () => {
      tail.add(header(TAIL_BLOCKS + 4));
      tail.reopen();
      expect([4, 5].map(number => tail.stoodAs(header(number)))).toStrictEqual([false, true]);
    });

    it('remembers nothing once it is cleared', () => {
      tail.clear();
      expect(tail.stoodAs(header(5))).toBe(false);
      expect(tail.add(header(5, 'b'))).toBe(false);
    });
  });

  it('tells of no block that stood before it was to be scanned once more', () => {
    expect(tail.stoodAs(header(3))).toBe(false);
  });

  it('holds so many blocks and no more', () => {
    for (let number = 6; number <= TAIL_BLOCKS + 5; number++) tail.add(header(number));
    expect([tail.at(5), tail.at(6)?.number]).toStrictEqual([null, 6]);
  });
});
