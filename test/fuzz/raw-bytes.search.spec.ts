import fc from 'fast-check';
import { Contract } from './contract';
import { Faults, fuzzPlan } from './fuzz-settings';
import { answersIn, exchangeRaw } from './raw-exchange';
import { rawMessage, type RawMessage } from './raw-messages';
import { World } from './world';

const SPEC = 'test/fuzz/raw-bytes';
const SETUP_LIMIT_MS = 60_000;
const TELLING_RUNS = 2_000;
const CODES_AT_LEAST = 15;
const OFF_CONTRACT = { operation: null, method: 'GET', headers: {} };
/** Some connection of a batch is silent until its client leaves, so a larger batch takes hardly longer. */
const AT_ONCE = 64;
const plan = fuzzPlan(0.1, AT_ONCE);

describe('bytes on a connection', () => {
  let world: World;
  let contract: Contract;
  const faults = new Faults();
  const codes = new Map<string, number>();

  beforeAll(async () => {
    world = await World.open();
    contract = new Contract(world.document);
  }, SETUP_LIMIT_MS);

  afterAll(() => world.close());

  async function exchange({ pieces }: RawMessage): Promise<void> {
    const sent = pieces.map(piece => world.fill(piece));
    const shown = JSON.stringify(sent.join(''));
    let shownAnswer = 'nothing';
    try {
      const { received, left } = await exchangeRaw(world.instance.port, sent);
      shownAnswer = received.toString();
      const answers = answersIn(received);
      if (answers.length === 0 && !left) faults.add('silence', shown, shownAnswer);
      for (const answer of answers) {
        const code = contract.codeOf(answer) ?? String(answer.status);
        codes.set(code, (codes.get(code) ?? 0) + 1);
        const fault = contract.faultOf(OFF_CONTRACT, answer);
        if (fault !== null) faults.add(fault, shown, shownAnswer);
      }
    } catch (error) {
      faults.add(String(error), shown, shownAnswer);
    }
  }

  it(
    `${plan.requests} times are answered with whole answers of the contract, and the connection ends`,
    async () => {
      const batch = fc.array(rawMessage(world.document), { minLength: AT_ONCE, maxLength: AT_ONCE });
      const property = fc.asyncProperty(batch, async messages => {
        await Promise.all(messages.map(exchange));
      });
      try {
        await fc.assert(property, plan.parameters as fc.Parameters<[RawMessage[]]>);
      } finally {
        faults.assertNone(SPEC);
      }
    },
    plan.limitMs,
  );

  it('reached what there is to reach', () => {
    if (process.env.FUZZ_TALLY) console.info(Object.fromEntries([...codes].sort(([, a], [, b]) => b - a)));
    if (plan.requests < TELLING_RUNS) return;
    expect(codes.size).toBeGreaterThanOrEqual(CODES_AT_LEAST);
  });

  it('left no connection open, the service well, and no line of a bug', async () => {
    const ready = await world.instance.caller.send({ method: 'GET', path: '/readyz' });
    expect(ready.status).toBe(200);
    expect(world.stage.logged.filter(line => /"level":(?:50|60)/.test(line))).toEqual([]);
  });
});
