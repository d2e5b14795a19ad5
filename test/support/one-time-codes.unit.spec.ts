import { generateSync } from 'otplib';
import { OneTimeCodes } from './one-time-codes';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const STEP_MS = 30_000;
const NOON = Date.parse('2026-11-01T12:00:00.000Z');

let timeMs: number;
let codes: OneTimeCodes;

beforeEach(() => {
  timeMs = NOON;
  codes = new OneTimeCodes(SECRET, () => timeMs);
});

const codeOf = (stepsFromNoon: number): string =>
  generateSync({ secret: SECRET, epoch: (NOON + stepsFromNoon * STEP_MS) / 1_000 });

it('are three without waiting, upward, the first of the step before', async () => {
  expect([await codes.next(), await codes.next(), await codes.next()]).toEqual([codeOf(-1), codeOf(0), codeOf(1)]);
  expect(codes.waitMs).toBe(STEP_MS);
});

it('are of no step that would be too old when it arrives', async () => {
  timeMs = NOON + STEP_MS - 1_000;
  expect([await codes.next(), await codes.next()]).toEqual([codeOf(0), codeOf(1)]);
  expect(codes.waitMs).toBe(1_000);
});

it('leave out the steps in which none was asked for', async () => {
  await codes.next();
  timeMs += 10 * STEP_MS;
  expect(await codes.next()).toBe(codeOf(9));
});
