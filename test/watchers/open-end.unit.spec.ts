import type { BlockHeader } from '../../src/kernel/ports/chain';
import { linkOf, OPEN_END_LIMIT, type Link, type Walk } from '../../src/watchers/open-end';

function header(number: number, fork = 'a', parentFork = fork): BlockHeader {
  return { number, hash: `0x${fork}${number}`, parentHash: `0x${parentFork}${number - 1}`, timeMs: number * 1_000 };
}

/** The walk stands at block 95, from block 100 down to block 88. */
const WALK: Walk = {
  block: header(95),
  parent: header(94),
  read: header(88),
  isRemembered: false,
  length: 6,
  leavesOut: false,
};
const on = (parent: BlockHeader, endsGap = false): Link => ({ kind: 'on', parent, endsGap });

const ROWS: readonly (readonly [string, Partial<Walk>, Link])[] = [
  ['a block above what is read', {}, on(header(94))],
  ['the block right above what is read', { block: header(89), parent: header(88) }, on(header(88))],
  [
    'a reorganisation within the tail: the walk comes to a block that both branches have',
    { block: header(95, 'b', 'a'), parent: header(94), isRemembered: true },
    on(header(94)),
  ],
  ['a reorganisation beyond what is read', { block: header(89, 'b'), parent: header(88, 'b') }, { kind: 'replaced' }],
  ['a chain that moves during the walk', { parent: header(94, 'b') }, { kind: 'moved' }],
  ['a provider that has lost its head meanwhile', { parent: null }, { kind: 'moved' }],
  ['a block of which too few providers tell', { parent: 'unanswered' }, { kind: 'unanswered' }],
  ['as many blocks as are read one by one', { length: OPEN_END_LIMIT }, { kind: 'cut' }],
  ['as many, where the tail goes on', { length: OPEN_END_LIMIT, isRemembered: true }, on(header(94))],
  [
    'as many, where the last one is linked to what is read',
    { length: OPEN_END_LIMIT, block: header(89), parent: header(88) },
    on(header(88)),
  ],
  [
    'what is read, after blocks were left out',
    { block: header(89), parent: header(88), leavesOut: true },
    on(header(88), true),
  ],
  ['a block above it, after blocks were left out', { leavesOut: true }, on(header(94))],
];

describe('a walk from the head comes to', () => {
  test.each(ROWS)('%s', (_situation, walk, link) => expect(linkOf({ ...WALK, ...walk })).toStrictEqual(link));
});
