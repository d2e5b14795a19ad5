import { watchPolicy } from '../../src/vocabulary/watch-policy';

const LIVE = watchPolicy('live', false);
const TEST = watchPolicy('test', false);

test('policies differ by mode, and on a local chain by its pace, its made-up times and its deposits alone', () => {
  expect(LIVE).toStrictEqual({
    pollMs: 3_000,
    readsForGood: 'agreement',
    deadlinesFollow: 'agreed_block',
    headersBy: 'enough',
    holesBy: 'range',
    paidAt: 'block_time',
    unsetVerificationAddress: 'none',
  });
  expect(TEST).toStrictEqual({
    ...LIVE,
    readsForGood: 'first_sight',
    deadlinesFollow: 'head',
    headersBy: 'one',
    holesBy: 'hash',
  });
  expect(watchPolicy('test', true)).toStrictEqual({
    ...TEST,
    pollMs: 500,
    paidAt: 'first_sight',
    unsetVerificationAddress: 'nobodys',
  });
});
