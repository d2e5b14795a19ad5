import * as money from '../../../src/vocabulary/money';
import * as notes from './notes';

type Modules = { readonly money: object; readonly notes: object };

const MEETING = Symbol.for('quittance.meeting');
const world = globalThis as { [MEETING]?: Modules };

/** The first test file of a worker leaves its modules and its traces, and the second one looks for them. */
export function meet(): void {
  const former = world[MEETING];
  expect(process.env).not.toHaveProperty('LEFT_BEHIND');
  expect(process.argv).not.toContain('left-behind');
  expect(process.listenerCount('SIGUSR2')).toBe(0);
  if (former === undefined) {
    world[MEETING] = { money, notes };
    process.env.LEFT_BEHIND = 'set';
    process.argv.push('left-behind');
    process.on('SIGUSR2', () => undefined);
    return;
  }
  expect(former.money).toBe(money);
  expect(former.notes).not.toBe(notes);
  if (process.env.TELL_MEETING) console.info('the second file has met the first');
}
