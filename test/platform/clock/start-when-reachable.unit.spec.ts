import { OutcomeUnknown, StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { startWhenReachable } from '../../../src/platform/clock/start-when-reachable';
import { ManualClock } from '../../support/manual-clock';
import { RecordingLog } from '../../support/fixture-doubles';

const SERVICE = { stop: () => Promise.resolve() };

async function startAfter(error: Error): Promise<number> {
  let attempts = 0;
  const attempt = () => (++attempts === 1 ? Promise.reject(error) : Promise.resolve(SERVICE));
  const parts = { clock: new ManualClock(0), log: new RecordingLog() };
  await startWhenReachable(attempt, parts, new AbortController().signal);
  return attempts;
}

describe('a start', () => {
  it.each([
    ['an engine that is away', new StoreUnavailable('away')],
    ['a write that has no answer', new OutcomeUnknown('not known')],
    [
      'an engine that is away, told by another error',
      new Error('starting', { cause: new OutcomeUnknown('not known') }),
    ],
  ])('is tried again after %s', async (_name, error) => {
    expect(await startAfter(error)).toBe(2);
  });

  it('ends by any other fault', async () => {
    await expect(startAfter(new Error('a bad setting'))).rejects.toThrow('a bad setting');
  });
});
