import type { NewEvent } from '../src/kernel/event';
import { uuidV5 } from '../src/vocabulary/ids';
import { commandsPerSecond, type OwnSide } from './command-sides';
import { inFlight, type RatioRound } from './measure';
import { CREATE, newPaymentId } from './payment-commands';

const CONCURRENCY = 32;
const ROUND = 2_000;
const ROUNDS = 9;

/**
 * R2: commands a second over raw single-event appends a second of the same bytes. A command takes its decision, its
 * hash chain and the read models of its side.
 */
export async function commandsPerAppend(side: OwnSide): Promise<readonly RatioRound[]> {
  try {
    const { events } = await side.execute(newPaymentId(), CREATE);
    const template = events[0] as NewEvent;
    const commands = () => commandsPerSecond(side, 'create', ROUND, CONCURRENCY);
    const appends = () => appendsPerSecond(side, template, ROUND, CONCURRENCY);
    await appends();
    await commands();
    const rounds: RatioRound[] = [];
    while (rounds.length < ROUNDS) rounds.push({ ours: await commands(), theirs: await appends() });
    return rounds;
  } finally {
    await side.close();
  }
}

let appended = 0;

/** Appends of one event each, to a stream each. */
export async function appendsPerSecond(
  { store }: Pick<OwnSide, 'store'>,
  template: NewEvent,
  appends: number,
  concurrency: number,
): Promise<number> {
  const startedAt = process.hrtime.bigint();
  await inFlight(appends, concurrency, () => {
    const id = uuidV5(`raw ${process.pid} ${startedAt} ${appended++}`);
    const { type, data, metadata } = template;
    return store.append(`test.raw-${id}`, 'no_stream', [{ id, type, data, metadata }]);
  });
  return (appends * 1e9) / Number(process.hrtime.bigint() - startedAt);
}
