import { afterOutcome, UNTRIED } from '../../../../src/processes/webhook-delivery/dispatch/circuit';
import {
  EndpointLeases,
  LEASE_MS,
  type Holding,
  type Lease,
} from '../../../../src/processes/webhook-delivery/dispatch/endpoint-leases';
import { ManualClock } from '../../../support/manual-clock';
import { MemoryDocuments } from '../../../support/memory-documents';
import { CountingEntropy, NOON } from '../../../support/payment-fixture';

const ENDPOINT = 'we_1';
const SLOW = afterOutcome(UNTRIED, { statusCode: null, error: 'timeout', latencyMs: 10_000, responseExcerpt: '' });

function stage() {
  const clock = new ManualClock(NOON);
  const documents = new MemoryDocuments();
  const entropy = new CountingEntropy();
  const process = (alone = false) => new EndpointLeases(documents, clock, entropy, alone);
  return { clock, one: process(), other: process(), alone: process(true) };
}

function leaseOf(holding: Holding): Lease {
  if (!('lease' in holding)) throw new Error('it is held elsewhere');
  return holding.lease;
}

it('one process holds the lease of an endpoint, and the other one is told until when', async () => {
  const { clock, one, other } = stage();
  const lease = leaseOf(await one.hold(ENDPOINT, null, UNTRIED));
  expect(await other.hold(ENDPOINT, null, UNTRIED)).toStrictEqual({ heldUntilMs: NOON + LEASE_MS });
  expect([one.isValid(lease), one.isReliable(lease)]).toStrictEqual([true, true]);
  clock.timeMs += LEASE_MS / 2;
  expect([one.isValid(lease), one.isReliable(lease)]).toStrictEqual([true, false]);
  const prolonged = leaseOf(await one.hold(ENDPOINT, lease, UNTRIED));
  clock.timeMs += LEASE_MS - 1;
  expect(await other.hold(ENDPOINT, null, UNTRIED)).toMatchObject({ heldUntilMs: prolonged.untilMs });
  clock.timeMs += 1;
  expect(one.isValid(prolonged)).toBe(false);
  leaseOf(await other.hold(ENDPOINT, null, UNTRIED));
});

it('a process that was not told of its own lease takes it again', async () => {
  const { one } = stage();
  leaseOf(await one.hold(ENDPOINT, null, UNTRIED));
  expect(await one.hold(ENDPOINT, null, UNTRIED)).toHaveProperty('lease');
});

it('a process that has the documents to itself takes the lease of the one before it at once', async () => {
  const { one, alone } = stage();
  leaseOf(await one.hold(ENDPOINT, null, UNTRIED));
  expect(await alone.hold(ENDPOINT, null, UNTRIED)).toHaveProperty('lease');
});

it('of two that take it at the same moment one has it', async () => {
  const { one, other } = stage();
  const both = await Promise.all([one.hold(ENDPOINT, null, UNTRIED), other.hold(ENDPOINT, null, UNTRIED)]);
  expect(both.filter(holding => 'lease' in holding)).toHaveLength(1);
});

it('a process that was paused does not prolong what another one has taken since', async () => {
  const { clock, one, other } = stage();
  const lease = leaseOf(await one.hold(ENDPOINT, null, UNTRIED));
  clock.timeMs += LEASE_MS;
  leaseOf(await other.hold(ENDPOINT, null, UNTRIED));
  expect(await one.hold(ENDPOINT, lease, UNTRIED)).toStrictEqual({ heldUntilMs: clock.timeMs + LEASE_MS });
});

it('what was learned of an endpoint goes to the next owner, at once where the lease is given back', async () => {
  const { one, other } = stage();
  const lease = leaseOf(await one.hold(ENDPOINT, null, UNTRIED));
  const prolonged = leaseOf(await one.hold(ENDPOINT, lease, SLOW));
  await one.release(ENDPOINT, prolonged, SLOW);
  const taken = await other.hold(ENDPOINT, null, UNTRIED);
  expect(taken).toMatchObject({ circuit: SLOW });
  // A lease that is given back twice takes nothing from its present owner.
  await one.release(ENDPOINT, prolonged, UNTRIED);
  expect(other.isValid(leaseOf(taken))).toBe(true);
  expect(await one.hold(ENDPOINT, null, UNTRIED)).toHaveProperty('heldUntilMs');
});
