import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/kernel/clock';
import type { Collection, Document } from '../../../src/kernel/ports/documents';
import { OutcomeUnknown, StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { KeyLease, type Answer } from '../../../src/platform/idempotency/key-lease';
import { IDEMPOTENCY_RECORDS, type IdempotencyRecords } from '../../../src/platform/idempotency/idempotency-records';
import type { IdempotencyRecord } from '../../../src/platform/idempotency/idempotency-record';
import { AesSecretBox } from '../../../src/platform/secrets/aes-secret-box';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON, openRecords, order, Warnings } from './idempotency-fixture';

const LEASE_MS = 30 * SECOND_MS;
const CREATED: Answer = { status: 200, body: '{"id":"pi_1","note":"Zoë"}' };

let clock: ManualClock;
let documents: MemoryDocuments;
let records: IdempotencyRecords;
let stored: Collection<IdempotencyRecord>;

beforeEach(async () => {
  clock = new ManualClock();
  documents = new MemoryDocuments();
  records = await openRecords({ documents, clock });
  stored = await documents.open<IdempotencyRecord>(IDEMPOTENCY_RECORDS);
});

async function lease(request = order(), from = records): Promise<KeyLease> {
  const leased = await from.lease(request);
  if (!(leased instanceof KeyLease)) throw new Error(`answered with ${leased.status} instead of a lease`);
  return leased;
}

async function answerTo(request = order(), from = records): Promise<Answer> {
  const leased = await from.lease(request);
  if (leased instanceof KeyLease) throw new Error('a lease instead of an answer');
  return leased;
}

const refused = (code: string): object => expect.objectContaining({ code }) as object;
const standing = async (): Promise<Document<IdempotencyRecord> | null> => stored.get(order().id);

describe('the first request with a key', () => {
  it('is the one, of all that come at once, that gets the lease', async () => {
    const leases = await Promise.allSettled(Array.from({ length: 20 }, () => records.lease(order())));
    const fulfilled = leases.filter(({ status }) => status === 'fulfilled');
    const refusals = leases.flatMap(leased => (leased.status === 'rejected' ? [leased.reason as unknown] : []));
    expect(fulfilled).toHaveLength(1);
    expect(refusals).toStrictEqual(Array.from({ length: 19 }, () => refused('idempotency_key_in_use')));
  });

  it('has a command id of its own and the time of its record', async () => {
    const first = await lease(order('a'));
    const second = await lease(order('b', '{}', NOON + 5));
    expect(first.commandId).not.toBe(second.commandId);
    expect([first.commandedAtMs, second.commandedAtMs]).toStrictEqual([NOON, NOON + 5]);
  });

  it('has its answer replayed, whatever its status, without a trace of its text in the store', async () => {
    for (const status of [200, 201, 402, 403, 404, 409, 422]) {
      const request = order(`key ${status}`);
      await (await lease(request)).finish({ status, body: CREATED.body }, false);
      expect(await answerTo(request)).toStrictEqual({ status, body: CREATED.body });
      expect(JSON.stringify(await stored.get(request.id))).not.toMatch(/pi_1\\"|note\\"|key \d/);
    }
  });

  it.each([400, 401, 413, 415, 429])('leaves nothing when it is answered with %i', async status => {
    const first = await lease();
    await first.finish({ status, body: '{}' }, false);
    expect(await stored.count()).toBe(0);
    const corrected = await lease(order('order-42', '{"amount":2}'));
    expect(corrected.commandId).not.toBe(first.commandId);
  });

  it.each([500, 502, 503, 504])('is gone on with, as the same command, after a %i', async status => {
    const first = await lease();
    await first.finish({ status, body: '{"error":"away"}' }, false);
    clock = new ManualClock(NOON + HOUR_MS);
    const second = await lease(order('order-42', '{"amount":1}', NOON + HOUR_MS));
    expect([second.commandId, second.commandedAtMs]).toStrictEqual([first.commandId, NOON]);
    await second.finish(CREATED, false);
    expect(await answerTo()).toStrictEqual(CREATED);
  });

  it('keeps its key from another request while it works, after a fault, and when it is done', async () => {
    const other = order('order-42', '{"amount":2}');
    const first = await lease();
    await expect(records.lease(other)).rejects.toEqual(refused('idempotency_key_reuse'));
    await first.finish({ status: 503, body: '{}' }, false);
    await expect(records.lease(other)).rejects.toEqual(refused('idempotency_key_reuse'));
    await (await lease()).finish(CREATED, false);
    await expect(records.lease(other)).rejects.toEqual(refused('idempotency_key_reuse'));
  });
});

describe('the lease', () => {
  it('is renewed for as long as the work lasts', async () => {
    const first = await lease();
    await clock.advance(10 * LEASE_MS);
    await expect(records.lease(order())).rejects.toEqual(refused('idempotency_key_in_use'));
    await first.finish(CREATED, false);
    expect(await answerTo()).toStrictEqual(CREATED);
  });

  it('outlives a renewal that the store could not take', async () => {
    const log = new Warnings();
    records = await openRecords({ documents, clock, log });
    const first = await lease();
    const broken = jest.spyOn(Object.getPrototypeOf(stored) as typeof stored, 'replace');
    broken.mockRejectedValueOnce(new StoreUnavailable('away'));
    await clock.advance(LEASE_MS + 5 * SECOND_MS);
    expect(log.messages).toStrictEqual(['a lease could not be renewed; tried again before it ends']);
    await expect(records.lease(order())).rejects.toEqual(refused('idempotency_key_in_use'));
    await first.finish(CREATED, false);
    broken.mockRestore();
  });

  it('lapses when its owner is gone, and the next one has the same command', async () => {
    const gone = await openRecords({ documents, clock: new ManualClock() });
    const first = await lease(order(), gone);
    await clock.advance(LEASE_MS - 1);
    await expect(records.lease(order())).rejects.toEqual(refused('idempotency_key_in_use'));
    await clock.advance(1);
    const second = await lease(order('order-42', '{"amount":1}', NOON + LEASE_MS));
    expect([second.commandId, second.commandedAtMs]).toStrictEqual([first.commandId, NOON]);
    expect((await standing())?.body.owner).toBe(2);
  });

  it('is void at once where its process is known to be gone', async () => {
    const gone = await openRecords({ documents, clock, alone: true });
    const first = await lease(order(), gone);
    await expect(gone.lease(order())).rejects.toEqual(refused('idempotency_key_in_use'));
    const restarted = await openRecords({ documents, clock, alone: true });
    expect((await lease(order(), restarted)).commandId).toBe(first.commandId);
  });

  it('tells who comes later that the work may be done already', async () => {
    const first = await lease(order(), await openRecords({ documents, clock: new ManualClock() }));
    await clock.advance(LEASE_MS);
    expect([first.isFirstTry, (await lease()).isFirstTry]).toStrictEqual([true, false]);
  });

  it('lets one of many take over', async () => {
    await lease(order(), await openRecords({ documents, clock: new ManualClock() }));
    await clock.advance(LEASE_MS);
    const leases = await Promise.allSettled(Array.from({ length: 20 }, () => records.lease(order())));
    expect(leases.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('an answer that cannot be sealed', () => {
  it('leaves its command to the next request at once', async () => {
    const sealing = jest.spyOn(AesSecretBox.prototype, 'seal').mockRejectedValueOnce(new StoreUnavailable('away'));
    const first = await lease();
    await expect(first.finish(CREATED, false)).rejects.toThrow(StoreUnavailable);
    sealing.mockRestore();
    expect((await standing())?.body.state).toBe('stopped');
    const second = await lease();
    expect([second.commandId, second.isFirstTry]).toStrictEqual([first.commandId, false]);
    await second.finish(CREATED, false);
    expect(await answerTo()).toStrictEqual(CREATED);
  });

  it('leaves nothing of an owner that was overtaken', async () => {
    const late = await lease(order(), await openRecords({ documents, clock: new ManualClock() }));
    await clock.advance(LEASE_MS);
    const next = await lease();
    const sealing = jest.spyOn(AesSecretBox.prototype, 'seal').mockRejectedValueOnce(new StoreUnavailable('away'));
    await expect(late.finish(CREATED, false)).rejects.toThrow(StoreUnavailable);
    sealing.mockRestore();
    await next.finish(CREATED, false);
    expect(await answerTo()).toStrictEqual(CREATED);
  });
});

describe('an owner that was overtaken', () => {
  let late: KeyLease;
  let next: KeyLease;

  beforeEach(async () => {
    const stalled = new ManualClock();
    late = await lease(order(), await openRecords({ documents, clock: stalled }));
    await clock.advance(LEASE_MS);
    next = await lease();
  });

  it('stores no answer, and is told that another works', async () => {
    await expect(late.finish({ status: 200, body: 'late' }, false)).rejects.toEqual(refused('idempotency_key_in_use'));
    await next.finish(CREATED, false);
    await expect(late.finish({ status: 200, body: 'late' }, false)).rejects.toEqual(refused('idempotency_key_in_use'));
    expect(await answerTo()).toStrictEqual(CREATED);
  });

  it.each([400, 401, 503])('moves nothing by a %i either', async status => {
    const before = await standing();
    await late.finish({ status, body: '{}' }, false);
    expect(await standing()).toStrictEqual(before);
  });

  it('leaves its command to those after it, also where the next one is refused by a code that is stale by then', async () => {
    await next.finish({ status: 401, body: '{}' }, false);
    expect((await lease()).commandId).toBe(late.commandId);
  });
});

describe('an answer with a one-time secret', () => {
  it('is never stored and never replayed', async () => {
    await (await lease()).finish({ status: 200, body: '{"secret":"sk_test_x"}' }, true);
    await expect(records.lease(order())).rejects.toEqual(refused('idempotency_response_unavailable'));
    expect(JSON.stringify(await standing())).not.toContain('sk_test_x');
    expect(Object.keys((await standing())?.body ?? {})).not.toContain('sealed_body');
  });

  it('stays lost when a take-over finds it minted', async () => {
    const first = await lease();
    await first.finish({ status: 503, body: '{}' }, false);
    await (await lease()).finish({ status: 500, body: '{}' }, true);
    await expect(records.lease(order())).rejects.toEqual(refused('idempotency_response_unavailable'));
  });
});

describe('a store whose outcomes are unknown', () => {
  it.each(['before', 'after'])('has the answer kept when an error comes %s the write', async moment => {
    const first = await lease();
    const prototype = Object.getPrototypeOf(stored) as typeof stored;
    const { replace } = prototype;
    const broken = jest.spyOn(prototype, 'replace').mockImplementationOnce(async function (
      this: typeof stored,
      document,
      version,
    ) {
      if (moment === 'after') await replace.call(this, document, version);
      throw new OutcomeUnknown('no word');
    });
    await first.finish(CREATED, false);
    expect(broken).toHaveBeenCalledTimes(2);
    broken.mockRestore();
    expect(await answerTo()).toStrictEqual(CREATED);
  });

  it('is told to the caller when it is away, and the record is taken over later', async () => {
    const first = await lease();
    const broken = jest.spyOn(Object.getPrototypeOf(stored) as typeof stored, 'replace');
    broken.mockRejectedValueOnce(new StoreUnavailable('away'));
    await expect(first.finish(CREATED, false)).rejects.toThrow(StoreUnavailable);
    broken.mockRestore();
    await expect(records.lease(order())).rejects.toEqual(refused('idempotency_key_in_use'));
    await clock.advance(LEASE_MS);
    expect((await lease()).commandId).toBe(first.commandId);
  });
});

describe('the end of a record', () => {
  it('comes 24 hours after its insert: the key is then as good as new', async () => {
    const first = await lease();
    await clock.advance(HOUR_MS);
    await first.finish(CREATED, false);
    await clock.advance(DAY_MS - HOUR_MS - 1);
    expect(await answerTo()).toStrictEqual(CREATED);
    await clock.advance(1);
    const second = await lease(order('order-42', '{"amount":2}', NOON + DAY_MS));
    expect(second.commandId).not.toBe(first.commandId);
    expect(second.commandedAtMs).toBe(NOON + DAY_MS);
  });

  it('gives the key to one of many', async () => {
    await (await lease()).finish(CREATED, false);
    await clock.advance(DAY_MS);
    const leases = await Promise.allSettled(Array.from({ length: 20 }, () => records.lease(order())));
    expect(leases.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('takes nothing from an owner whose key has gone to another since', async () => {
    const late = await lease(order(), await openRecords({ documents, clock: new ManualClock() }));
    await clock.advance(DAY_MS);
    await (await lease()).finish({ status: 200, body: 'new' }, false);
    await late.finish({ status: 200, body: 'old' }, false);
    expect(await answerTo()).toStrictEqual({ status: 200, body: 'new' });
  });

  it('is swept up in steps, and only then', async () => {
    for (let n = 0; n < 450; n++) await (await lease(order(`old ${n}`))).finish(CREATED, false);
    await clock.advance(HOUR_MS);
    await (await lease(order('young'))).finish(CREATED, false);
    const ending = new AbortController();
    const sweeping = records.sweep(ending.signal);
    await clock.advance(DAY_MS - HOUR_MS - 1);
    expect(await stored.count()).toBe(451);
    await clock.advance(10 * 60 * SECOND_MS);
    expect(await stored.count()).toBe(1);
    ending.abort();
    await sweeping;
  });

  it('is not swept up when the key was taken anew in between', async () => {
    await (await lease()).finish(CREATED, false);
    await clock.advance(DAY_MS);
    const prototype = Object.getPrototypeOf(stored) as typeof stored;
    const { list } = prototype;
    const ending = new AbortController();
    const slow = jest.spyOn(prototype, 'list').mockImplementationOnce(async function (this: typeof stored, query) {
      const ended = await list.call(this, query);
      await (await lease()).finish({ status: 200, body: 'new' }, false);
      ending.abort();
      return ended;
    });
    await records.sweep(ending.signal);
    slow.mockRestore();
    expect(await answerTo()).toStrictEqual({ status: 200, body: 'new' });
  });
});

describe('a record that is not what was written', () => {
  it.each<[string, (body: IdempotencyRecord) => object]>([
    ['without a command', body => ({ ...body, command_id: undefined })],
    ['with a state that nobody knows', body => ({ ...body, state: 'asleep' })],
    ['with a status out of range', body => ({ ...body, http_status: 700 })],
    ['with another field', body => ({ ...body, extra: 1 })],
    ['with a time that is none', body => ({ ...body, inserted_at: 'yesterday' })],
  ])('is corrupt: %s', async (_, damage) => {
    await (await lease()).finish(CREATED, false);
    const document = (await standing()) as Document<IdempotencyRecord>;
    const body = JSON.parse(JSON.stringify(damage(document.body))) as IdempotencyRecord;
    await stored.put({ ...document, body });
    await expect(records.lease(order())).rejects.toEqual(refused('idempotency_record_corrupt'));
  });

  it('is unreadable when another key sealed it, or it was moved from another record', async () => {
    await (await lease()).finish(CREATED, false);
    const stranger = await openRecords({ documents, clock, key: new Uint8Array(32).fill(2) });
    await expect(stranger.lease(order())).rejects.toEqual(refused('idempotency_response_unreadable'));
    const moved = (await standing()) as Document<IdempotencyRecord>;
    await stored.put({ ...moved, id: order('other').id });
    await expect(records.lease(order('other'))).rejects.toEqual(refused('idempotency_response_unreadable'));
  });

  it('is orphaned when it changes hands faster than it can be read', async () => {
    const lost = jest.spyOn(Object.getPrototypeOf(stored) as typeof stored, 'insert').mockResolvedValue(false);
    await expect(records.lease(order())).rejects.toEqual(refused('idempotency_record_orphaned'));
    expect(lost).toHaveBeenCalledTimes(8);
    lost.mockRestore();
  });
});
