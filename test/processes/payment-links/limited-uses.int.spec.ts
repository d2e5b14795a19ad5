import { parseStreamName } from '../../../src/kernel/event';
import { isRefusal } from '../../../src/vocabulary/errors';
import { Prng } from '../../simulation/prng';
import { LinkFixture } from './link-fixture';

const CLIENTS = 64;
const PROCESSES = 4;
const MOST_USES = 10;
const SEEDS = 20;

type Interleaving = {
  /** The clients that won, in the order of their uses. */
  readonly winners: readonly number[];
  readonly conflicts: number;
  readonly refused: Readonly<Record<string, number>>;
};

/** 64 clients at once, of four processes that meet in the engine alone. */
async function rush(seed: number): Promise<Interleaving> {
  const fixture = new LinkFixture();
  await fixture.create({ max_uses: MOST_USES });
  const prng = new Prng(seed);
  const processes = Array.from({ length: PROCESSES }, () => fixture.process(fixture.distant(prng)));
  const refused: Record<string, number> = {};
  const opened: string[] = [];
  const clients = Array.from({ length: CLIENTS }, (_, client) => client);
  await Promise.all(
    clients.map(async client => {
      const own = processes[client % PROCESSES] as (typeof processes)[number];
      try {
        opened.push((await fixture.open(own, fixture.context(`client-${client}`))).id);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused[error.code] = (refused[error.code] ?? 0) + 1;
      }
    }),
  );
  await fixture.finish();
  const uses = await fixture.uses();
  const payments = (await fixture.payments()).map(({ stream }) => parseStreamName(stream).id);
  expect(uses.map(({ data }) => data.link.use_count)).toStrictEqual(
    Array.from({ length: MOST_USES }, (_, at) => at + 1),
  );
  expect(new Set(payments)).toStrictEqual(new Set(uses.map(({ data }) => data.payment_intent)));
  expect(payments).toHaveLength(MOST_USES);
  expect(new Set(opened)).toStrictEqual(new Set(payments));
  const winners = uses.map(({ metadata }) => Number(metadata.command_id.slice('client-'.length)));
  return { winners, conflicts: fixture.conflicts, refused };
}

it(`makes ${MOST_USES} payments of ${CLIENTS} clients at once, whatever their order`, async () => {
  const reached: Interleaving[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) reached.push(await rush(seed));
  const orders = new Set(reached.map(({ winners }) => winners.join(' ')));
  const lines = reached.map(
    ({ winners, conflicts, refused }, at) =>
      `seed ${at + 1}: winners ${winners.join(' ')}; ${conflicts} conflicts; refused ${JSON.stringify(refused)}`,
  );
  process.stdout.write(`${lines.join('\n')}\n${orders.size} orders of winners in ${SEEDS} rushes\n`);
  expect(orders.size).toBeGreaterThan(SEEDS / 2);
  expect(reached.every(({ conflicts }) => conflicts > 0)).toBe(true);
  const counts = reached.map(({ refused }) => Object.values(refused).reduce((sum, count) => sum + count, 0));
  expect(counts).toStrictEqual(counts.map(() => CLIENTS - MOST_USES));
});
