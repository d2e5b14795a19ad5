import { randomUUID } from 'node:crypto';
import { composeKeyring, openSecretBox } from '../../../src/composition/secrets';
import type { Config } from '../../../src/platform/config/config';
import { systemActor } from '../../../src/kernel/command-context';
import type { EventStore } from '../../../src/kernel/ports/event-store';
import { StoreUnavailable, START_OF_LOG } from '../../../src/kernel/ports/event-store';
import type { Keyring } from '../../../src/modules/keyring/keyring';
import { dataKeys } from '../../../src/modules/keyring/keyring.decider';
import type { Wrapping } from '../../../src/modules/keyring/keyring.events';
import { users } from '../../../src/modules/users/user.decider';
import { WritePath } from '../../../src/kernel/write-path';
import { AesSecretBox } from '../../../src/platform/secrets/aes-secret-box';
import { AesWrappingKey } from '../../../src/platform/secrets/aes-wrapping-key';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import { IdentityFixture, MERCHANT, NOON, OTHER_MERCHANT } from '../merchants/identity-fixture';
import { RecordingLog } from '../../support/fixture-doubles';
import { ManualClock } from '../../support/manual-clock';
import { MemoryEventStore } from '../../support/memory-event-store';

const [OLD, NEW, THIRD] = [1, 2, 3].map(byte => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array];
const TEST = { universe: 'test', merchantId: MERCHANT } as const;
const LIVE = { universe: 'live', merchantId: MERCHANT } as const;
const OPERATOR = systemActor('sweeper', null);
const REFUSED: unknown = expect.objectContaining({ code: 'invalid_config', param: 'SECRET_KEY' });

/** Sealed with 32 ones by the program that had no data keys. */
const FORMER_TEXT = 'v2.IMvz6EZ3.dHdlbHZlIGJ5dGVz.2ZiupHqBunwB03pdiLt_INaSQKi6GukudcnUFOKLPjI';

const entropy = new SystemEntropy();
let store: MemoryEventStore;
beforeEach(() => (store = new MemoryEventStore()));

/** The keyring and the box of a process that has just started. */
function processOf(
  current: Uint8Array,
  former: Uint8Array | null = null,
  log: EventStore = store,
  replaced: Uint8Array | null = null,
) {
  const keyring = composeKeyring({ current, former, replaced }, { store: log, clock: new ManualClock(NOON), entropy });
  return { keyring, box: new AesSecretBox(keyring, entropy) };
}

async function recorded(): Promise<readonly string[]> {
  const { events } = store.page({ categories: ['keyring'] }, START_OF_LOG);
  return Promise.resolve(events.map(({ type, stream }) => `${type} ${stream}`));
}

/** A log that refuses each append after so many. */
function failingAfter(appends: number): EventStore {
  let left = appends;
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== 'append') return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      return (...given: Parameters<EventStore['append']>) =>
        left-- > 0 ? target.append(...given) : Promise.reject(new StoreUnavailable('killed'));
    },
  });
}

/** The log, with `act` done right before its first call of `method`. */
function before(method: keyof EventStore, act: () => Promise<unknown>): EventStore {
  let isDone = false;
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || name !== method)
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      return async (...given: unknown[]): Promise<unknown> => {
        if (!isDone) {
          isDone = true;
          await act();
        }
        return (member as (...args: unknown[]) => unknown).apply(target, given);
      };
    },
  });
}

async function made(name: string, wrapping: Wrapping): Promise<void> {
  const writes = new WritePath(store, new ManualClock(NOON), () => Promise.resolve());
  const context = new IdentityFixture().context('platform');
  await writes.execute(dataKeys, name, { type: 'make', wrappings: [wrapping] }, context);
}

async function idOf({ keyring }: { readonly keyring: Keyring }): Promise<string> {
  return Buffer.from(await keyring.ofService('ids')).toString('hex');
}

describe('the data keys of a log', () => {
  it('are made once, whichever of two processes comes first', async () => {
    const processes = [processOf(OLD), processOf(OLD)];
    await Promise.all(processes.map(({ keyring }) => keyring.open()));
    expect(await recorded()).toEqual(['DataKeyMade platform.keyring-service']);
    const sealed = await Promise.all(processes.map(({ box }, at) => box.seal(`secret ${at}`, `ws_${at}`, TEST)));
    expect(await recorded()).toEqual([
      'DataKeyMade platform.keyring-service',
      `DataKeyMade platform.keyring-test_${MERCHANT}`,
    ]);
    for (const { box } of [...processes, processOf(OLD)]) {
      expect(await Promise.all(sealed.map((text, at) => box.open(text, `ws_${at}`)))).toEqual(['secret 0', 'secret 1']);
    }
  });

  it('let one of two starts at once with different keys go on', async () => {
    const starts = await Promise.allSettled([processOf(OLD).keyring.open(), processOf(NEW).keyring.open()]);
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(starts.find(each => each.status === 'rejected')?.reason).toEqual(REFUSED);
    expect(await recorded()).toHaveLength(1);
  });

  it('differ by merchant and mode, and hold nothing of the keys in the clear', async () => {
    const { box, keyring } = processOf(OLD);
    const texts = [
      await box.seal('one', 'ws_1', TEST),
      await box.seal('one', 'ws_1', LIVE),
      await box.seal('one', 'ws_1', { ...TEST, merchantId: OTHER_MERCHANT }),
    ];
    expect(texts.map(text => text.split('.')[1])).toEqual([
      `test_${MERCHANT}`,
      `live_${MERCHANT}`,
      `test_${OTHER_MERCHANT}`,
    ]);
    const keys = await Promise.all([keyring.ofOwner(TEST), keyring.ofOwner(LIVE)]);
    expect(Buffer.from(keys[0].bytes).equals(keys[1].bytes)).toBe(false);
    const log = JSON.stringify(store.page('all', START_OF_LOG).events);
    for (const bytes of [...keys.map(key => key.bytes), await keyring.ofService('ids'), OLD]) {
      for (const form of ['hex', 'base64', 'base64url'] as const)
        expect(log).not.toContain(Buffer.from(bytes).toString(form));
    }
  });

  it('are read once a process', async () => {
    const sealed = await processOf(OLD).box.seal('one', 'ws_1', TEST);
    const { box } = processOf(OLD);
    const reads = jest.spyOn(store, 'readStream');
    for (let time = 0; time < 3; time++) {
      expect(await box.open(sealed, 'ws_1')).toBe('one');
      await box.seal('two', 'ws_2', TEST);
      await box.deriveKey('ids');
    }
    expect(reads).toHaveBeenCalledTimes(2);
    reads.mockRestore();
  });

  it('are asked for again after the log was away', async () => {
    const away = jest.spyOn(store, 'readStream').mockRejectedValueOnce(new StoreUnavailable('away'));
    const { box } = processOf(OLD);
    await expect(box.seal('one', 'ws_1', TEST)).rejects.toThrow(StoreUnavailable);
    away.mockRestore();
    expect(await box.open(await box.seal('one', 'ws_1', TEST), 'ws_1')).toBe('one');
  });

  it('refuse a start with another key, and a tool as well', async () => {
    await processOf(OLD).keyring.open();
    await expect(processOf(NEW).keyring.open()).rejects.toEqual(REFUSED);
    await expect(processOf(NEW).keyring.check()).rejects.toEqual(REFUSED);
    await expect(processOf(NEW, THIRD).keyring.open()).rejects.toEqual(REFUSED);
    expect(await recorded()).toHaveLength(1);
  });

  it('are not made by a tool that only looks', async () => {
    await processOf(OLD).keyring.check();
    expect(await recorded()).toEqual([]);
  });
});

describe('a log from before there were data keys', () => {
  beforeEach(async () => {
    const fixture = new IdentityFixture();
    const user = {
      merchant_id: MERCHANT,
      email: 'owner@example.com',
      password_hash: 'unused',
      totp_secret_sealed: FORMER_TEXT,
    };
    const writes = new WritePath(store, fixture, () => Promise.resolve());
    await writes.execute(users, 'usr_1', { type: 'register', user }, fixture.context('platform'));
  });

  it('goes on with its key: secrets open, and ids stay', async () => {
    const started = processOf(OLD);
    await started.keyring.open();
    expect(await started.box.open(FORMER_TEXT, 'usr_1')).toBe('JBSWY3DPEHPK3PXP');
    expect(await idOf(started)).toBe('5385f8604071484cc39b795ecf648b5f57fdfa8bd007f81bfc34557d5cc03e46');
  });

  it('refuses the first start with another key, and a tool, and records nothing then', async () => {
    await expect(processOf(NEW).keyring.open()).rejects.toEqual(REFUSED);
    await expect(processOf(NEW).keyring.check()).rejects.toEqual(REFUSED);
    expect(await recorded()).toEqual([]);
  });

  it('keeps its values where the first start already has a new key beside the former', async () => {
    const started = processOf(NEW, OLD);
    await started.keyring.open();
    expect(await started.box.open(FORMER_TEXT, 'usr_1')).toBe('JBSWY3DPEHPK3PXP');
    await started.keyring.rotate(OPERATOR);
    const later = processOf(NEW);
    expect(await later.box.open(FORMER_TEXT, 'usr_1')).toBe('JBSWY3DPEHPK3PXP');
    expect(await idOf(later)).toBe('5385f8604071484cc39b795ecf648b5f57fdfa8bd007f81bfc34557d5cc03e46');
  });
});

describe('a rotation', () => {
  let sealed: string;
  let ids: string;

  beforeEach(async () => {
    const first = processOf(OLD);
    await first.keyring.open();
    sealed = await first.box.seal('whsec_1', 'ws_1', TEST);
    await first.box.seal('whsec_2', 'ws_2', LIVE);
    ids = await idOf(first);
  });

  const rotate = (log: EventStore = store) => processOf(NEW, OLD, log).keyring.rotate(OPERATOR);

  it('wraps every data key anew, the one of the service last, and leaves the keys as they are', async () => {
    expect(await rotate()).toEqual({ keys: 3, wrapped: 3, unreadable: [] });
    expect((await recorded()).slice(3)).toEqual([
      `DataKeyRewrapped platform.keyring-test_${MERCHANT}`,
      `DataKeyRewrapped platform.keyring-live_${MERCHANT}`,
      'DataKeyRewrapped platform.keyring-service',
    ]);
    const after = processOf(NEW);
    expect(await after.box.open(sealed, 'ws_1')).toBe('whsec_1');
    expect(await idOf(after)).toBe(ids);
    await expect(processOf(OLD).keyring.open()).rejects.toThrow('has replaced it');
    expect(await rotate()).toEqual({ keys: 3, wrapped: 0, unreadable: [] });
  });

  it('lets processes that run with the former key go on', async () => {
    const running = processOf(OLD);
    await running.keyring.open();
    await rotate();
    expect(await running.box.open(sealed, 'ws_1')).toBe('whsec_1');
    const text = await running.box.seal('whsec_3', 'ws_3', TEST);
    expect(await processOf(NEW).box.open(text, 'ws_3')).toBe('whsec_3');
  });

  it.each([0, 1, 2])('that was killed after %i wrappings is ended by the next one', async appends => {
    await expect(rotate(failingAfter(appends))).rejects.toThrow(StoreUnavailable);
    expect(await recorded()).toHaveLength(3 + appends);
    // Until the end the former key starts a process, and the new one alone does not.
    expect(await processOf(OLD).box.open(sealed, 'ws_1')).toBe('whsec_1');
    await expect(processOf(NEW).keyring.open()).rejects.toThrow('run `keys rotate`');
    expect(await rotate()).toEqual({ keys: 3, wrapped: 3 - appends, unreadable: [] });
    expect(await processOf(NEW).box.open(sealed, 'ws_1')).toBe('whsec_1');
  });

  it('goes through several processes one after the other, and each opens the keys of the others', async () => {
    const other = { universe: 'test', merchantId: OTHER_MERCHANT } as const;
    const [former, next] = [processOf(OLD), processOf(NEW, OLD)];
    await former.keyring.open();
    await next.keyring.open();
    const byNext = await next.box.seal('by the next', 'ws_4', other);
    const byFormer = await former.box.seal('by the former', 'ws_5', { ...other, universe: 'live' });
    expect(await former.box.open(byNext, 'ws_4')).toBe('by the next');
    expect(await next.box.open(byFormer, 'ws_5')).toBe('by the former');
    expect(await rotate()).toEqual({ keys: 5, wrapped: 4, unreadable: [] });
    const last = processOf(NEW);
    expect(await last.box.open(byNext, 'ws_4')).toBe('by the next');
    expect(await last.box.open(byFormer, 'ws_5')).toBe('by the former');
  });

  it('ends the use of the former key for new data keys', async () => {
    const { box } = processOf(NEW, OLD);
    expect(await box.open(sealed, 'ws_1')).toBe('whsec_1');
    await box.deriveKey('ids');
    await rotate();
    const text = await box.seal('after', 'ws_6', { ...TEST, merchantId: OTHER_MERCHANT });
    expect((await recorded()).filter(each => each.endsWith(OTHER_MERCHANT))).toHaveLength(1);
    expect(await processOf(NEW).box.open(text, 'ws_6')).toBe('after');
  });

  it('lets a former process make no data key after it', async () => {
    const former = processOf(OLD);
    await former.keyring.open();
    await rotate();
    const owner = { ...TEST, merchantId: OTHER_MERCHANT };
    const refusal = { code: 'provider_unavailable', message: expect.stringContaining('`keys rotate` has replaced') };
    await expect(former.box.seal('late', 'ws_7', owner)).rejects.toMatchObject(refusal);
    expect((await recorded()).filter(each => each.endsWith(OTHER_MERCHANT))).toEqual([]);
    const text = await processOf(NEW).box.seal('with the new key', 'ws_7', owner);
    expect(await former.box.open(sealed, 'ws_1')).toBe('whsec_1');
    expect(await processOf(NEW).box.open(text, 'ws_7')).toBe('with the new key');
  });

  it('wraps a data key that a former process makes meanwhile', async () => {
    let late = '';
    const make = async (): Promise<void> => {
      late = await processOf(OLD).box.seal('late', 'ws_7', { ...TEST, merchantId: OTHER_MERCHANT });
    };
    expect(await rotate(before('append', make))).toEqual({ keys: 4, wrapped: 4, unreadable: [] });
    expect(await processOf(NEW).box.open(late, 'ws_7')).toBe('late');
  });

  it('that ends while a former process makes a data key leaves that key to the next rotation', async () => {
    const owner = { ...TEST, merchantId: OTHER_MERCHANT };
    const late = await processOf(
      OLD,
      null,
      before('append', () => rotate()),
    ).box.seal('late', 'ws_7', owner);
    const after = processOf(NEW).box.open(late, 'ws_7');
    const name = `test_${OTHER_MERCHANT}`;
    await expect(after).rejects.toMatchObject({ code: 'provider_unavailable', message: expect.stringContaining(name) });
    expect(await processOf(NEW, null, store, OLD).box.open(late, 'ws_7')).toBe('late');
    expect(await processOf(THIRD, NEW, store, OLD).keyring.rotate(OPERATOR)).toEqual({
      keys: 4,
      wrapped: 4,
      unreadable: [],
    });
    expect(await processOf(THIRD).box.open(late, 'ws_7')).toBe('late');
  });

  it('goes on past a data key that no key opens, names it, and takes it up with its own key', async () => {
    const name = `test_${OTHER_MERCHANT}`;
    const [foreign, bytes] = [new AesWrappingKey(THIRD, entropy), entropy.bytes(32)];
    const damaged = { wrapping_key: new AesWrappingKey(OLD, entropy).id, wrapped: foreign.wrap(bytes, 'live_damaged') };
    await made(name, { wrapping_key: foreign.id, wrapped: foreign.wrap(bytes, name) });
    await made('live_damaged', damaged);
    expect(await rotate()).toEqual({ keys: 5, wrapped: 3, unreadable: [name, 'live_damaged'] });
    expect(await processOf(NEW).box.open(sealed, 'ws_1')).toBe('whsec_1');
    expect(await rotate()).toEqual({ keys: 5, wrapped: 0, unreadable: [name, 'live_damaged'] });
    const taken = { keys: 5, wrapped: 1, unreadable: ['live_damaged'] };
    expect(await processOf(NEW, THIRD).keyring.rotate(OPERATOR)).toEqual(taken);
    expect(await processOf(NEW).keyring.named(name)).toEqual(bytes);
  });

  it('wraps new data keys by none but the keys in use', async () => {
    const text = await processOf(NEW, OLD, store, THIRD).box.seal('one', 'ws_8', {
      ...TEST,
      merchantId: OTHER_MERCHANT,
    });
    const late = processOf(THIRD).box.open(text, 'ws_8');
    await expect(late).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  it('can begin where the newest key was lost, by a key from before, and names what that one does not open', async () => {
    await rotate();
    const name = `test_${OTHER_MERCHANT}`;
    await processOf(NEW).box.seal('lost', 'ws_9', { ...TEST, merchantId: OTHER_MERCHANT });
    const taken = await processOf(THIRD, OLD).keyring.rotate(OPERATOR);
    expect(taken).toEqual({ keys: 4, wrapped: 3, unreadable: [name] });
    const after = processOf(THIRD);
    expect(await after.box.open(sealed, 'ws_1')).toBe('whsec_1');
    expect(await idOf(after)).toBe(ids);
  });

  it('opens a data key by an older wrapping where the newest one is damaged', async () => {
    const [key, bytes] = [new AesWrappingKey(OLD, entropy), entropy.bytes(32)];
    await made('live_two', { wrapping_key: key.id, wrapped: key.wrap(bytes, 'live_two') });
    const damaged = { wrapping_key: key.id, wrapped: key.wrap(bytes, 'live_other') };
    const rewrap = { type: 'DataKeyRewrapped', data: damaged } as const;
    const [first] = await store.readStream('platform.keyring-live_two');
    if (!first) throw new Error('the data key was not made');
    await store.append(first.stream, 0, [{ ...rewrap, id: randomUUID(), metadata: first.metadata }]);
    expect(await rotate()).toEqual({ keys: 4, wrapped: 4, unreadable: [] });
    expect(await processOf(NEW).keyring.named('live_two')).toEqual(bytes);
  });

  it('tells how many data keys each key opens, in the refusal of a start as well', async () => {
    expect(await processOf(OLD).keyring.census()).toBeNull();
    const opened = async () => (await processOf(NEW, OLD).keyring.census())?.opened.map(({ keys }) => keys);
    expect(await opened()).toEqual([0, 3]);
    await expect(rotate(failingAfter(1))).rejects.toThrow(StoreUnavailable);
    expect(await opened()).toEqual([1, 3]);
    const told = 'SECRET_KEY is not the key of these data. Of 3 data keys, SECRET_KEY opens 1.';
    await expect(processOf(NEW).keyring.open()).rejects.toThrow(told);
    await rotate();
    const both = 'Of 3 data keys, SECRET_KEY opens 0, SECRET_KEY_FORMER opens 3. A newer key has replaced it';
    await expect(processOf(THIRD, OLD).keyring.check()).rejects.toThrow(both);
  });

  it('is told of at the start of a process with both keys, in one line', async () => {
    const log = new RecordingLog();
    const [means, dataFolder] = [{ store, clock: new ManualClock(NOON), entropy, log }, '/nonexistent'];
    const start = (formerSecretKey: Uint8Array | null, secretKey: Uint8Array) =>
      openSecretBox({ secretKey, formerSecretKey, dataFolder } as Config, 'service', means);
    await start(null, OLD);
    expect(log.lines).toEqual([]);
    await start(OLD, NEW);
    expect(log.lines.map(({ message }) => message)).toEqual([
      'two keys are in use. Of 3 data keys, SECRET_KEY opens 0, SECRET_KEY_FORMER opens 3.',
    ]);
  });

  it('is refused, and records nothing, where no key opens the service’s own one', async () => {
    const strange = new Uint8Array(32).fill(4);
    await expect(processOf(THIRD, strange).keyring.rotate(OPERATOR)).rejects.toEqual(REFUSED);
    expect(await recorded()).toHaveLength(3);
  });

  it('can be followed by another one, and be taken back', async () => {
    await rotate();
    await processOf(THIRD, NEW).keyring.rotate(OPERATOR);
    expect(await processOf(THIRD).box.open(sealed, 'ws_1')).toBe('whsec_1');
    await processOf(OLD, THIRD).keyring.rotate(OPERATOR);
    expect(await processOf(OLD).box.open(sealed, 'ws_1')).toBe('whsec_1');
    await expect(processOf(THIRD).keyring.open()).rejects.toEqual(REFUSED);
  });
});
