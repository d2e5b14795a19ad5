import type { Cursor } from '../../src/watchers/coverage-record';
import { planRetry, type RetryAnswers, type RetryStep, type SetAsidePlace } from '../../src/watchers/retry-plan';

const PLACE: SetAsidePlace = { instance: 'this', block_number: 50, to_number: 50, block_hash: '0xa50' };
const CURSOR: Cursor = { number: 88, hash: '0xa88' };

type Row = readonly [string, Partial<SetAsidePlace>, Cursor | null, RetryAnswers, RetryStep];

const ROWS: readonly Row[] = [
  ['nobody was asked yet', {}, CURSOR, {}, 'ask_block'],
  ['the block stands', {}, CURSOR, { block: '0xa50' }, 'read'],
  ['the block stands, and coverage has not passed it yet', {}, null, { block: '0xa50' }, 'read'],
  ['too few providers tell of the block', {}, CURSOR, { block: null }, 'leave'],
  ['another block stands there, and coverage was not read yet', {}, null, { block: '0xb50' }, 'leave'],
  ['another one stands there, ahead of the cursor', {}, { number: 49, hash: '0xa49' }, { block: '0xb50' }, 'leave'],
  ['another one stands there, below the cursor', {}, CURSOR, { block: '0xb50' }, 'ask_cursor'],
  ['the cursor’s block does not stand either', {}, CURSOR, { block: '0xb50', cursor: '0xb88' }, 'leave'],
  ['too few providers tell of the cursor’s block', {}, CURSOR, { block: '0xb50', cursor: null }, 'leave'],
  ['the cursor’s block stands', {}, CURSOR, { block: '0xb50', cursor: '0xa88' }, 'ask_block_again'],
  ['the block is back', {}, CURSOR, { block: '0xb50', cursor: '0xa88', blockAgain: '0xa50' }, 'leave'],
  ['nobody tells of it any more', {}, CURSOR, { block: '0xb50', cursor: '0xa88', blockAgain: null }, 'leave'],
  ['the block is replaced for good', {}, CURSOR, { block: '0xb50', cursor: '0xa88', blockAgain: '0xb50' }, 'drop'],
  ['a hole has an end below the cursor', { to_number: 88 }, CURSOR, {}, 'read_pieces'],
  ['a hole has no end yet: it grows with the chain', { to_number: 89 }, CURSOR, {}, 'leave'],
  ['a hole is of several blocks, and coverage was not read yet', { to_number: 60 }, null, {}, 'leave'],
  ['the chain is no longer watched', { instance: 'former' }, CURSOR, {}, 'drop'],
  ['a hole of several blocks is of such a chain', { instance: 'former', to_number: 60 }, CURSOR, {}, 'drop'],
];

describe('of what is set aside, when it is tried again and', () => {
  test.each(ROWS)('%s', (_situation, place, cursor, answers, step) =>
    expect(planRetry({ ...PLACE, ...place }, 'this', cursor, answers)).toBe(step),
  );
});
