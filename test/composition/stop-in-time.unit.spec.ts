import { STOP_MS, stopInTime } from '../../src/composition/start-service';
import type { Clock } from '../../src/kernel/clock';
import { RecordingLog } from '../support/fixture-doubles';

/** Time that passes at once, or never. */
const clockThat = (passes: boolean): Clock => ({
  now: () => 0,
  wait: delayMs => (passes && delayMs === STOP_MS ? Promise.resolve() : new Promise(() => undefined)),
});
const never = () => new Promise<void>(() => undefined);

it('tells a stop that ends in time, and says nothing', async () => {
  const log = new RecordingLog();
  expect(await stopInTime({ stop: () => Promise.resolve() }, clockThat(false), log)).toBe(true);
  expect(log.lines).toEqual([]);
});

it('gives up a stop that does not, in one line', async () => {
  const log = new RecordingLog();
  expect(await stopInTime({ stop: never }, clockThat(true), log)).toBe(false);
  expect(log.lines).toMatchObject([{ level: 'error', facts: { after_ms: STOP_MS } }]);
});

it('passes a failure on', async () => {
  const stop = () => Promise.reject(new Error('broken'));
  await expect(stopInTime({ stop }, clockThat(false), new RecordingLog())).rejects.toThrow('broken');
});
