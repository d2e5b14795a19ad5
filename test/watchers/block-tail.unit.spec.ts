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

  it('holds so many blocks and no more', () => {
    for (let number = 6; number <= TAIL_BLOCKS + 5; number++) tail.add(header(number));
    expect([tail.at(5), tail.at(6)?.number]).toStrictEqual([null, 6]);
  });
});
