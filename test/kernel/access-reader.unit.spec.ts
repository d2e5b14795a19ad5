import { apiKeysProjection } from '../../projections/api-keys.projection';
import { collectionSpec } from '../../projections/runner/projection-collection';
import { StoredReadModels } from '../../projections/runner/read-models';
import { composeAccess } from '../../src/composition/access';
import type { AccessReader } from '../../src/kernel/access-reader';
import { ACCESS_DOCUMENTS } from '../../src/kernel/access-revisions';
import { systemContext } from '../../src/kernel/command-context';
import type { Document } from '../../src/kernel/ports/documents';
import { StoreUnavailable, type EventStore } from '../../src/kernel/ports/event-store';
import { WritePath } from '../../src/kernel/write-path';
import { apiKeys, type ApiKeyCommand, type Grantor } from '../../src/modules/api-keys/api-key.decider';
import { apiKeysReadModel } from '../../src/modules/api-keys/api-keys.read-model';
import { walletsReadModel } from '../../src/modules/wallets/wallets.read-model';
import { MemoryDocuments } from '../support/memory-documents';
import { MemoryEventStore } from '../support/memory-event-store';
import { ManualClock, MERCHANT, NOON } from '../support/payment-fixture';

const KEY = 'key_00000000000000000000000000';
const STREAM = `test.api_key-${KEY}`;
const ASKED = { readModel: apiKeysReadModel, universe: 'test', id: KEY } as const;
const GRANTOR: Grantor = { scopes: ['payment:read'], endsAt: null, withheld: [] };
const MINT: ApiKeyCommand = {
  type: 'mint',
  terms: { kind: 'sk', name: null, scopes: ['payment:read'], expiresAt: null },
  grantor: GRANTOR,
  keyHash: 'ab'.repeat(32),
  last4: 'abcd',
};
const REVOKE: ApiKeyCommand = { type: 'revoke', grantor: GRANTOR };

describe('what each request goes by', () => {
  let engine: MemoryEventStore;
  let documents: MemoryDocuments;
  let commands = 0;

  beforeEach(() => {
    engine = new MemoryEventStore();
    documents = new MemoryDocuments();
  });

  /** One process over the same engines, which never gets to its mirrors. */
  function started(log: EventStore = engine) {
    const readModels = new StoredReadModels(documents, engine, new ManualClock(NOON), [apiKeysProjection]);
    const { store, access } = composeAccess(log, documents, readModels);
    return { access, writes: new WritePath(store, new ManualClock(NOON), () => Promise.resolve()) };
  }

  /** The log of a process that is killed as it appends: the event is in it, or is not. */
  function deadly(isAppended: boolean): EventStore {
    return Object.assign(Object.create(engine) as EventStore, {
      append: async (...asked: Parameters<EventStore['append']>) => {
        if (isAppended) await engine.append(...asked);
        throw new StoreUnavailable('killed');
      },
    });
  }

  function act({ writes }: { writes: WritePath }, command: ApiKeyCommand) {
    const facts = { actor: 'sweeper', mode: 'test', merchantId: MERCHANT, now: NOON } as const;
    return writes.execute(apiKeys, KEY, command, systemContext(`command-${++commands}`, facts));
  }

  async function statusAt({ access }: { access: AccessReader }): Promise<string | null> {
    const [key] = await access.read([ASKED]);
    return key && key.body.status;
  }

  async function toldRevision(): Promise<number | undefined> {
    return (await (await documents.open(ACCESS_DOCUMENTS)).get(STREAM))?.version;
  }

  it('reads no stream while nothing has changed', async () => {
    const one = started();
    await act(one, MINT);
    await statusAt(one);
    const reads = jest.spyOn(engine, 'readStream');
    expect(await statusAt(one)).toBe('active');
    expect(reads).not.toHaveBeenCalled();
  });

  it('reads a stream once that several lists ask about, and answers each list', async () => {
    const one = started();
    await act(one, MINT);
    const reads = jest.spyOn(engine, 'readStream');
    const [[first, none], [second]] = await started().access.readLists([[ASKED, null], [ASKED]]);
    expect([first?.body.status, none, second?.body.status]).toStrictEqual(['active', null, 'active']);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('is the log after a restore of the documents; a process that ran through it goes by what it knew', async () => {
    const running = started();
    await act(running, MINT);
    expect(await statusAt(running)).toBe('active');
    await act(started(), REVOKE);
    const revisions = await documents.open(ACCESS_DOCUMENTS);
    await revisions.put({ id: STREAM, version: 0, body: {} });
    expect([await statusAt(running), await statusAt(started())]).toStrictEqual(['active', 'revoked']);
  });

  it('shows at once what another process wrote', async () => {
    const [one, other] = [started(), started()];
    await act(one, MINT);
    expect(await statusAt(other)).toBe('active');
    await act(one, REVOKE);
    expect(await statusAt(other)).toBe('revoked');
  });

  it('shows what a process wrote that was killed before it could answer', async () => {
    const other = started();
    await act(other, MINT);
    expect(await statusAt(other)).toBe('active');
    await expect(act(started(deadly(true)), REVOKE)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await statusAt(other)).toBe('revoked');
  });

  it('misses nothing after a process that was killed before it could write', async () => {
    const [one, other] = [started(), started()];
    await act(one, MINT);
    expect(await statusAt(other)).toBe('active');
    await expect(act(started(deadly(false)), REVOKE)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await statusAt(other)).toBe('active');
    await act(one, REVOKE);
    expect(await statusAt(other)).toBe('revoked');
    const reads = jest.spyOn(engine, 'readStream');
    expect(await statusAt(other)).toBe('revoked');
    expect(reads).not.toHaveBeenCalled();
  });

  it('believes no document of a stream that the log has lost', async () => {
    const before = started();
    await act(before, MINT);
    const [key] = await before.access.read([ASKED]);
    await (await documents.open(collectionSpec(apiKeysProjection))).put(key as Document);
    engine = new MemoryEventStore();
    expect(await statusAt(started())).toBeNull();
  });

  it('shows an event to whoever asked between its telling and its append', async () => {
    const [one, other] = [started(), started()];
    await act(one, MINT);
    const append = jest.spyOn(engine, 'append').mockImplementationOnce(async (...asked) => {
      expect(await toldRevision()).toBe(1);
      expect(await statusAt(other)).toBe('active');
      append.mockRestore();
      return engine.append(...asked);
    });
    await act(one, REVOKE);
    expect(await statusAt(other)).toBe('revoked');
  });

  it('writes nothing where it cannot tell of it first', async () => {
    const one = started();
    await act(one, MINT);
    const access = await documents.open(ACCESS_DOCUMENTS);
    const away = jest
      .spyOn(Object.getPrototypeOf(access) as typeof access, 'putNewer')
      .mockRejectedValue(new StoreUnavailable('away'));
    await expect(act(one, REVOKE)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await engine.readStream(STREAM)).toHaveLength(1);
    away.mockRestore();
  });

  it('tells of a stream of which the documents have lost all, or come from a back-up', async () => {
    const [one, other] = [started(), started()];
    await act(one, MINT);
    await act(one, REVOKE);
    await documents.drop(ACCESS_DOCUMENTS.name);
    await documents.open(ACCESS_DOCUMENTS);
    expect(await statusAt(other)).toBe('revoked');
    expect(await toldRevision()).toBe(1);
    await (await documents.open(ACCESS_DOCUMENTS)).put({ id: STREAM, version: 0, body: {} });
    expect(await statusAt(other)).toBe('revoked');
    expect(await toldRevision()).toBe(1);
  });

  it('answers where it cannot tell, and reads the stream anew each time', async () => {
    await act(started(), MINT);
    const access = await documents.open(ACCESS_DOCUMENTS);
    await documents.drop(ACCESS_DOCUMENTS.name);
    await documents.open(ACCESS_DOCUMENTS);
    const full = jest
      .spyOn(Object.getPrototypeOf(access) as typeof access, 'putNewer')
      .mockRejectedValue(new StoreUnavailable('the disk is full'));
    const other = started();
    expect(await statusAt(other)).toBe('active');
    const reads = jest.spyOn(engine, 'readStream');
    expect(await statusAt(other)).toBe('active');
    expect(reads).toHaveBeenCalledTimes(1);
    full.mockRestore();
  });

  it('remembers that a stream does not exist, until it does', async () => {
    const one = started();
    expect(await statusAt(one)).toBeNull();
    const reads = jest.spyOn(engine, 'readStream');
    expect(await statusAt(one)).toBeNull();
    expect(reads).not.toHaveBeenCalled();
    await act(one, MINT);
    expect(await statusAt(one)).toBe('active');
  });

  it('is asked for nothing that its appends do not tell of', async () => {
    await expect(started().access.read([{ ...ASKED, readModel: walletsReadModel }])).rejects.toThrow(
      'no access document tells of wallets',
    );
  });
});
