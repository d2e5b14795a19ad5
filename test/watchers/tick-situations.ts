import { TAIL_BLOCKS } from '../../src/watchers/block-tail';
import type { Cursor } from '../../src/watchers/coverage-record';
import type { Finding, Heads, Standing, Step } from '../../src/watchers/tick-plan';

const FAULT = new Error('64 blocks are set aside');

const block = (number: number, fork = 'a'): Cursor => ({ number, hash: `0x${fork}${number}` });
/** A network whose rule is 12 blocks behind the head, and which calls blocks final two behind it. */
const heads = (head: number, changes: Partial<Heads> = {}): Heads => ({
  head: block(head),
  finalizedHeight: head - 2,
  agreedHeight: Math.max(0, head - 12),
  ...changes,
});

/** Covered up to block 88. The head is block 100, and the tail that far is known from the tick before. */
export const STANDING: Standing = {
  cursor: block(88),
  read: block(88),
  tail: block(100),
  heads: heads(100),
  isScanned: false,
  knowsWallets: true,
  found: null,
  replacements: 0,
};

const FOLLOW: Step = { kind: 'follow' };
const PLACE: Step = { kind: 'place' };
const FORGET: Step = { kind: 'forget' };
const FORGET_REPLACED: Step = { kind: 'forget_replaced' };
const CLEAR_ROOM: Step = { kind: 'clear_room_if_placed' };
const END = [FOLLOW, FORGET_REPLACED, PLACE];
const END_OF_SCAN = [...END, CLEAR_ROOM];
const answered = (height: number): Step => ({ kind: 'ask_answered', height });
const tail = (number: number): Step => ({ kind: 'ask_tail', block: block(number) });
const ranges = (after: number, to: number): Step => ({ kind: 'read_ranges', after: block(after), to });
const openEnd = (above: number): Step => ({ kind: 'read_open_end', above });
const agree = (height: number): Step => ({ kind: 'agree', height });
const again = (after: number): Step => ({ kind: 'read_again', after });
const COVER_TEST: readonly Step[] = [{ kind: 'cover', deadlines: 'head' }, CLEAR_ROOM];
const COVER_LIVE: readonly Step[] = [{ kind: 'cover', deadlines: 'agreed_block' }, CLEAR_ROOM];

/** The facts as a tick begins, and the steps that follow from them. */
export type Beginning = readonly [
  situation: string,
  known: Partial<Standing>,
  inTestMode: readonly Step[],
  inLiveMode: readonly Step[],
];

/** The facts as a tick begins, the findings of its steps, and the steps that follow from those in live mode. */
export type Surprise = readonly [
  situation: string,
  known: Partial<Standing>,
  findings: readonly Finding[],
  inLiveMode: readonly Step[],
];

export const BEGINNINGS: readonly Beginning[] = [
  [
    'a first start, with coverage begun at the agreed block',
    { cursor: block(88), read: block(88), tail: null },
    [openEnd(88), agree(88), ...COVER_TEST, ...END_OF_SCAN],
    [openEnd(88), agree(88), ...COVER_LIVE, ...END_OF_SCAN],
  ],
  ['a head that was scanned already', { isScanned: true }, END_OF_SCAN, END_OF_SCAN],
  [
    'one new block',
    { heads: heads(101) },
    [openEnd(88), agree(89), ...COVER_TEST, ...END_OF_SCAN],
    [openEnd(88), agree(89), again(88), ...COVER_LIVE, ...END_OF_SCAN],
  ],
  [
    'a start after an outage: blocks up to the agreed one are read by range',
    { tail: null, heads: heads(5_000) },
    [answered(88), ranges(88, 4_988), openEnd(4_988), agree(4_988), ...COVER_TEST, ...END_OF_SCAN],
    [answered(88), ranges(88, 4_988), openEnd(4_988), agree(4_988), ...COVER_LIVE, ...END_OF_SCAN],
  ],
  [
    'an outage of the provider: standing blocks that were scanned before it are not read again in test mode',
    { heads: heads(5_000) },
    [answered(88), tail(100), ranges(100, 4_988), openEnd(4_988), agree(4_988), ...COVER_TEST, ...END_OF_SCAN],
    [answered(88), ranges(88, 4_988), openEnd(4_988), agree(4_988), ...COVER_LIVE, ...END_OF_SCAN],
  ],
  [
    'finality behind the agreed depth: blocks that are not final are read one by one',
    { tail: null, heads: heads(200, { finalizedHeight: 120 }) },
    [answered(88), ranges(88, 120), openEnd(120), agree(188), ...COVER_TEST, ...END_OF_SCAN],
    [answered(88), ranges(88, 120), openEnd(120), agree(188), again(120), ...COVER_LIVE, ...END_OF_SCAN],
  ],
  [
    'finality that has stopped: blocks below the longest reorganisation are read by range all the same',
    { tail: null, heads: heads(1_000, { finalizedHeight: 50 }) },
    [answered(88), ranges(88, 1_000 - TAIL_BLOCKS), openEnd(488), agree(988), ...COVER_TEST, ...END_OF_SCAN],
    [
      answered(88),
      ranges(88, 1_000 - TAIL_BLOCKS),
      openEnd(488),
      agree(988),
      again(488),
      ...COVER_LIVE,
      ...END_OF_SCAN,
    ],
  ],
  [
    'transfers without a place, or a naming that waits for one, above the cursor: reading goes on above them',
    { read: block(95), heads: heads(108) },
    [openEnd(95), agree(96), ...COVER_TEST, ...END_OF_SCAN],
    [openEnd(95), agree(96), again(95), ...COVER_LIVE, ...END_OF_SCAN],
  ],
  [
    'a head below the cursor: nothing is read, and nothing is covered twice',
    { heads: heads(80) },
    [openEnd(88), agree(68), ...COVER_TEST, ...END_OF_SCAN],
    [openEnd(88), agree(68), ...COVER_LIVE, ...END_OF_SCAN],
  ],
  [
    'a list of wallets that is behind the log',
    { knowsWallets: false, heads: heads(101) },
    [FORGET, FOLLOW, PLACE],
    [FORGET, FOLLOW, PLACE],
  ],
  [
    'too few providers tell the final block: payments are seen, and none is followed',
    { heads: heads(101, { finalizedHeight: null, agreedHeight: 0 }), isScanned: true },
    [openEnd(88), { kind: 'interrupt', reason: 'unknown_finality' }],
    [openEnd(88), { kind: 'interrupt', reason: 'unknown_finality' }],
  ],
];

/** After an outage, with the next blocks to be read by range. */
export const AWAY: Partial<Standing> = { tail: null, heads: heads(5_000) };
const SCAN = [answered(88), ranges(88, 4_988), openEnd(4_988), agree(4_988), ...COVER_LIVE];

export const SURPRISES: readonly Surprise[] = [
  [
    'too few providers tell of the cursor’s block: new blocks are seen, and none is covered',
    AWAY,
    [{ kind: 'unanswered' }],
    [openEnd(88), ...END],
  ],
  [
    'too few providers tell of any block after some ranges',
    AWAY,
    [{ kind: 'stuck', reached: block(2_088) }],
    [openEnd(2_088), ...END],
  ],
  ['the process ends in a range', AWAY, [{ kind: 'stopped' }], END],
  [
    'the tail’s newest block is gone: reading begins at the cursor',
    { heads: heads(5_000) },
    [{ kind: 'tail_gone' }],
    [ranges(88, 4_988), openEnd(4_988), agree(4_988), ...COVER_LIVE, ...END_OF_SCAN],
  ],
  [
    'the chain moves as the open end is read, or blocks in between are left out: nothing is covered',
    { heads: heads(101) },
    [{ kind: 'not_linked' }],
    END,
  ],
  [
    'providers disagree on the block that was to be covered',
    { heads: heads(101) },
    [{ kind: 'disputed' }],
    [{ kind: 'note', deadlines: 'agreed_block' }, CLEAR_ROOM, ...END_OF_SCAN],
  ],
  [
    'a reorganisation replaces blocks that were read beyond the cursor: they are read again from the cursor on',
    { ...AWAY, read: block(2_088) },
    [{ kind: 'replaced', block: block(2_088), cursor: block(88) }],
    [FORGET, ...SCAN, ...END_OF_SCAN],
  ],
  [
    'a reorganisation beyond the tail replaces the cursor’s block',
    AWAY,
    [{ kind: 'replaced', block: block(88), cursor: block(88) }],
    [FORGET, { kind: 'seek_mark' }],
  ],
  [
    'a reorganisation replaces the block to which coverage has come by now, as blocks were read',
    AWAY,
    [{ kind: 'replaced', block: block(2_088), cursor: block(2_088) }],
    [FORGET, { kind: 'seek_mark' }],
  ],
  [
    'the newest recorded block that stands is found',
    AWAY,
    [
      { kind: 'replaced', block: block(88), cursor: block(88) },
      { kind: 'mark', mark: block(40) },
    ],
    [{ kind: 'go_back', to: block(40) }],
  ],
  [
    'coverage went back to the chain that stands: the tick goes on from there',
    AWAY,
    [
      { kind: 'replaced', block: block(88), cursor: block(88) },
      { kind: 'mark', mark: block(40) },
      { kind: 'went_back', cursor: block(88, 'b') },
    ],
    [
      answered(88),
      { kind: 'read_ranges', after: block(88, 'b'), to: 4_988 },
      openEnd(4_988),
      agree(4_988),
      ...COVER_LIVE,
      ...END_OF_SCAN,
    ],
  ],
  [
    'blocks that were read on the way back are replaced meanwhile',
    AWAY,
    [
      { kind: 'replaced', block: block(88), cursor: block(88) },
      { kind: 'mark', mark: block(40) },
      { kind: 'not_linked' },
    ],
    END,
  ],
  [
    'blocks are replaced a third time: the next tick begins anew',
    AWAY,
    [
      { kind: 'replaced', block: block(2_088), cursor: block(88) },
      { kind: 'replaced', block: block(88), cursor: block(88) },
      { kind: 'went_back', cursor: block(88, 'b') },
      { kind: 'replaced', block: block(88, 'b'), cursor: block(88, 'b') },
    ],
    [FORGET, { kind: 'interrupt', reason: 'replacements' }],
  ],
  [
    'a block cannot be read, and nothing more can be set aside: payments are followed all the same',
    { heads: heads(101) },
    [{ kind: 'full', isPlacing: false, fault: FAULT }],
    [{ kind: 'wait_for_room', fault: FAULT }, ...END],
  ],
  [
    'a transfer finds no place, and nothing more can be set aside',
    { heads: heads(101) },
    [{ kind: 'full', isPlacing: true, fault: FAULT }],
    [{ kind: 'wait_for_room', fault: FAULT }],
  ],
  [
    'blocks are replaced while no provider tells the final block',
    { heads: heads(101, { finalizedHeight: null, agreedHeight: 0 }), read: block(95) },
    [{ kind: 'replaced', block: block(95), cursor: block(88) }],
    [FORGET, openEnd(88), { kind: 'interrupt', reason: 'unknown_finality' }],
  ],
];
