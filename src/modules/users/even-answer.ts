import type { Clock } from '../../kernel/clock';

/** Longer than the work for a known address takes, and a time that people do not mind. */
const ANSWER_MS = 400;

/** Answers after the same time whether there was much to do or little, so that the time tells nothing. */
export async function inEvenTime(clock: Clock, work: Promise<void>): Promise<void> {
  await Promise.allSettled([work, clock.wait(ANSWER_MS)]);
  await work;
}
