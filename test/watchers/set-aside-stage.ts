import { coverageHolesProjection } from '../../projections/coverage-holes.projection';
import { deferredTransfersProjection } from '../../projections/deferred-transfers.projection';
import type { Projection } from '../../src/kernel/projection';
import { collectionSpec } from '../../projections/runner/projection-collection';
import { MINUTE_MS } from '../../src/kernel/clock';
import { uuidV5 } from '../../src/vocabulary/ids';
import { InvariantViolation } from '../../src/kernel/invariant';
import type { ReadOptions } from '../../src/kernel/ports/event-store';
import type { BlockReading } from '../../src/kernel/ports/chain';
import { COVERAGE_COLLECTION, coverageId } from '../../src/watchers/coverage-record';
import { MemoryEventStore } from '../support/memory-event-store';
import { recordedEvents } from '../support/recorded-events';
import type { PaymentFixture } from '../support/payment-fixture';
import type { ScriptedChain } from '../support/scripted-chain';

/** The parts of the write path. */
const STREAM_LIMIT = 4_096;

export type SetAsideEvent = { readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** A log in which some streams cannot be folded, as one can that has come to its limit. */
export class FaultyStore extends MemoryEventStore {
  /** Ends of the streams' names. */
  readonly broken = new Set<string>();
  error: () => Error = () => new InvariantViolation('a stream is at its limit');

  override readStream(stream: string, options?: ReadOptions) {
    if ([...this.broken].some(end => stream.endsWith(end))) return Promise.reject(this.error());
    return super.readStream(stream, options);
  }
}

/** Every event of the category so far, oldest first. */
export async function eventsOf({ store }: PaymentFixture, category: string): Promise<readonly SetAsideEvent[]> {
  return (await recordedEvents(store, category)).map(({ type, data }) => ({ type, data }));
}

/** Time passes on the chain and the wall, in blocks of a minute. */
export function passMinutes({ chain, clock }: PaymentFixture, timeMs: number): void {
  for (let passedMs = 0; passedMs < timeMs; passedMs += MINUTE_MS) {
    chain.skipTime(MINUTE_MS - 1_000);
    chain.mine();
    clock.timeMs += MINUTE_MS;
  }
}

export async function sweepAll(fixture: PaymentFixture): Promise<void> {
  await fixture.sweeper().sweep('quote');
  await fixture.sweeper().sweep('reservation');
}

export async function typesOf(fixture: PaymentFixture, category: string): Promise<readonly string[]> {
  return (await eventsOf(fixture, category)).map(({ type }) => type);
}

/** As many further events as a stream can have, of a kind that changes nothing. */
export async function fillStream({ store }: PaymentFixture, stream: string): Promise<void> {
  const history = await store.readStream(stream);
  const last = history.at(-1);
  if (!last) throw new Error(`${stream} has no event`);
  const filling = Array.from({ length: STREAM_LIMIT - history.length }, (_, index) => {
    const id = uuidV5(`filling ${index}`);
    return { id, type: 'PayerScreened', data: { payer: '0x01', verdict: 'clear' }, metadata: last.metadata };
  });
  await store.append(stream, history.length - 1, filling);
}

/** The documents of coverage and of set-aside places: they can be made anew from the log. */
export async function loseDocuments({ documents, mode, network }: PaymentFixture): Promise<void> {
  await (await documents.open(COVERAGE_COLLECTION)).deleteUpTo(coverageId(mode, network), Infinity);
  const projections: readonly Projection[] = [coverageHolesProjection, deferredTransfersProjection];
  for (const projection of projections) {
    const collection = await documents.open(collectionSpec(projection));
    const equals = { mode, network_id: network, status: 'open' };
    const found = await collection.list({ index: 'by_block', equals, limit: 1_000 });
    for (const { id } of found) await collection.deleteUpTo(id, Infinity);
  }
}

/** Hashes of blocks whose transfers no reading gives, until they are taken out. */
export function unreadBlocks(chain: ScriptedChain): Set<string> {
  const unread = new Set<string>();
  const [inBlock, inRange] = [chain.transfersInBlock.bind(chain), chain.transfersInRange.bind(chain)];
  const without = ({ transfers }: BlockReading, blocks: readonly { number: number; hash: string }[]): BlockReading => ({
    transfers: transfers.filter(({ blockHash }) => !unread.has(blockHash)),
    unread: blocks
      .filter(({ hash }) => unread.has(hash))
      .map(({ number, hash }) => ({ number, hash, reason: 'disputed', txHash: null })),
  });
  chain.transfersInBlock = async (hash, contract, recipients) => {
    const reading = await inBlock(hash, contract, recipients);
    const blocks = await headersOf(chain, 0, chain.height);
    return without(
      reading,
      blocks.filter(block => block.hash === hash),
    );
  };
  chain.transfersInRange = async (from, to, contract, recipients) => {
    const reading = await inRange(from, to, contract, recipients);
    return { ...reading, ...without(reading, await headersOf(chain, from, to)) };
  };
  return unread;
}

async function headersOf(chain: ScriptedChain, from: number, to: number) {
  const headers = [];
  for (let height = from; height <= to; height++) {
    const header = await chain.blockAt(height);
    if (header) headers.push(header);
  }
  return headers;
}
