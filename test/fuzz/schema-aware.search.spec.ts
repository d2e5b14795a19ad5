import fc from 'fast-check';
import { Contract } from './contract';
import { AT_ONCE, Faults, fuzzPlan } from './fuzz-settings';
import { fuzzedRequest, type FuzzedRequest } from './requests';
import { World } from './world';

const SPEC = 'test/fuzz/schema-aware';
const SETUP_LIMIT_MS = 60_000;
/** From here on, a code that is never reached is missing from the fuzz and not by chance. */
const TELLING_RUNS = 20_000;
const CODES_AT_LEAST = 45;
/** Fees are invoiced in live mode, and a transfer is sent on a local chain: the stage has neither. */
const NEVER_SERVED = ['getFeeInvoice', 'createSandboxTransfer'];
const plan = fuzzPlan(0.9);

describe('requests after the contract and off it', () => {
  let world: World;
  let contract: Contract;
  const faults = new Faults();
  const codes = new Map<string, number>();
  const served = new Set<string>();

  beforeAll(async () => {
    world = await World.open();
    contract = new Contract(world.document);
  }, SETUP_LIMIT_MS);

  afterAll(() => world.close());

  async function exchange(request: FuzzedRequest): Promise<void> {
    const reply = await world.send(request).catch((error: unknown) => String(error));
    if (typeof reply === 'string') return faults.add(`${request.method}: ${reply}`, JSON.stringify(request), 'nothing');
    const fault = contract.faultOf(request, reply);
    if (fault !== null) faults.add(fault, JSON.stringify(request), `${reply.status} ${reply.body}`);
    const code = contract.codeOf(reply) ?? 'none';
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (code === 'none' && request.operation !== null) served.add(request.operation);
  }

  it(
    `${plan.requests} of them get an answer of the contract each`,
    async () => {
      const batch = fc.array(fuzzedRequest(world.document), { minLength: AT_ONCE, maxLength: AT_ONCE });
      const property = fc.asyncProperty(batch, async requests => {
        await Promise.all(requests.map(exchange));
      });
      try {
        await fc.assert(property, plan.parameters as fc.Parameters<[FuzzedRequest[]]>);
      } finally {
        faults.assertNone(SPEC);
      }
    },
    plan.limitMs,
  );

  it('reached what there is to reach', () => {
    if (process.env.FUZZ_TALLY) console.info(Object.fromEntries([...codes].sort(([, a], [, b]) => b - a)));
    if (plan.requests < TELLING_RUNS) return;
    expect(contract.operationIds.filter(id => !served.has(id))).toEqual(NEVER_SERVED);
    expect(codes.size).toBeGreaterThanOrEqual(CODES_AT_LEAST);
  });

  it('left the service well, and no line of a bug', async () => {
    const ready = await world.instance.caller.send({ method: 'GET', path: '/readyz' });
    expect(ready.status).toBe(200);
    expect(world.stage.logged.filter(line => /"level":(?:50|60)/.test(line))).toEqual([]);
  });
});
