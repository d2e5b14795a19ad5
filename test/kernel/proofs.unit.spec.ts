import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { RecordedEvent } from '../../src/kernel/event';
import { parseStreamName, streamName } from '../../src/kernel/event';
import { eventHash, GENESIS_HASH } from '../../src/kernel/hash-chain';
import { firstBrokenLink } from '../../src/kernel/hash-chain-check';
import { commandId, crockford, derivedId, isId, timedId, uuidV5, uuidV8 } from '../../src/vocabulary/ids';
import { canonicalJson, type JsonValue } from '../../src/vocabulary/json';
import type { LogPosition } from '../../src/kernel/log-position';

describe('canonical JSON', () => {
  it.each([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ '\u20ac': 1, '\r': 2, '1': 3, '\u00f6': 4 }, '{"\\r":2,"1":3,"\u00f6":4,"\u20ac":1}'],
    [1e21, '1e+21'],
    [-0, '0'],
    ['\u2028"\\', '"\u2028\\"\\\\"'],
  ])('of %j', (value, text) => {
    expect(canonicalJson(value as JsonValue)).toBe(text);
  });

  it.each([
    [undefined],
    [10n],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [() => 1],
    [{ a: undefined }],
    [[Symbol('x')]],
  ])('refuses %p, which JSON cannot hold', value => {
    expect(() => canonicalJson(value as JsonValue)).toThrow(TypeError);
  });

  it('does not depend on the order of keys, and loses nothing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), object => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(reversed as JsonValue)).toBe(canonicalJson(object as JsonValue));
        expect(JSON.parse(canonicalJson(object as JsonValue))).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });
});

describe('ids', () => {
  it('sort by their time and carry 26 Crockford characters', () => {
    const zero = new Uint8Array(10);
    const full = new Uint8Array(10).fill(255);
    const earlier = timedId('pi', 1_700_000_000_000, full);
    const later = timedId('pi', 1_700_000_000_001, zero);
    expect(earlier < later).toBe(true);
    expect(isId('pi', earlier)).toBe(true);
    expect(isId('wal', earlier)).toBe(false);
    expect(isId('pi', earlier.replace(/.$/, 'u'))).toBe(false);
    expect(crockford(new Uint8Array(16).fill(255))).toBe(`7${'z'.repeat(25)}`);
  });

  it('of a command are the same again, and another for each key, kind and command', () => {
    const key = new Uint8Array(32);
    const id = commandId('pi', 1, key, 'a');
    expect(commandId('pi', 1, key, 'a')).toBe(id);
    const others = [commandId('pi', 1, key, 'b'), commandId('pi', 1, new Uint8Array(32).fill(1), 'a')];
    expect(new Set([id, ...others]).size).toBe(3);
    expect(commandId('we', 1, key, 'a').slice(3)).not.toBe(id.slice(3));
  });

  it('are the same for ever: what is stored names them', () => {
    const bytes = Uint8Array.from({ length: 12 }, (_, index) => index + 1);
    expect([
      timedId('pi', 1_790_000_000_000, bytes),
      commandId('pi', 1_790_000_000_000, bytes, 'a'),
      derivedId('wal', ['live', 'mch_1', 'base', '0x01']),
      uuidV5('x'),
      uuidV5('y'),
      uuidV8(1_790_000_000_000, 'x'),
      GENESIS_HASH,
    ]).toStrictEqual([
      'pi_01m3250v00041061050r3gg28a',
      'pi_01m3250v00x28n031p6ab5yb6m',
      'wal_5ptd8a1dr6a36v9xcrsytvytcz',
      '01618fb0-e74c-539a-aea1-c6b1c0d29539',
      '35f74cc9-d9c5-5b8b-93cd-5d123d0a5166',
      '01a0c450-6c00-839a-aea1-c6b1c0d29539',
      '0'.repeat(64),
    ]);
  });

  it('derived from facts tell neighbouring facts apart', () => {
    expect(derivedId('wal', ['ab', 'c'])).not.toBe(derivedId('wal', ['a', 'bc']));
  });

  it('of events are version 8, repeatable, and sort by their time', () => {
    const now = 1_790_000_000_000;
    expect(uuidV8(now, 'x')).toBe(uuidV8(now, 'x'));
    expect(uuidV8(now, 'x')).not.toBe(uuidV8(now, 'y'));
    expect(uuidV8(now, 'x')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const name of ['x', 'y', 'z']) expect(uuidV8(now + 1, name) > uuidV8(now, 'x')).toBe(true);
  });
});

describe('stream names', () => {
  it('are taken apart as they were put together', () => {
    const name = streamName('test', 'amount_slot', 'base:0xAB:usdc-base:12');
    expect(parseStreamName(name)).toStrictEqual({
      universe: 'test',
      category: 'amount_slot',
      id: 'base:0xAB:usdc-base:12',
    });
    expect(() => parseStreamName('elsewhere.payment-1')).toThrow(RangeError);
  });
});

describe('the hash chain', () => {
  const events = chain(4);

  it('hashes the canonical JSON of an event, its place and its metadata without the hash', () => {
    const { stream, revision, id, type, data, metadata } = events[1] as RecordedEvent;
    const { hash, ...unhashed } = metadata;
    const text = canonicalJson({ stream, revision, id, type, data, metadata: unhashed });
    expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
  });

  it('holds from the first event to the last', () => {
    expect(firstBrokenLink(events)).toBeNull();
  });

  it.each([
    ['data', (event: RecordedEvent) => ({ ...event, data: { n: 99 } })],
    ['type', (event: RecordedEvent) => ({ ...event, type: 'Other' })],
    ['id', (event: RecordedEvent) => ({ ...event, id: 'other' })],
    ['revision', (event: RecordedEvent) => ({ ...event, revision: 7 })],
    ['actor', (event: RecordedEvent) => withMetadata(event, { actor: { role: 'admin', type: 'admin', id: 'x' } })],
    ['time', (event: RecordedEvent) => withMetadata(event, { recorded_at: '2026-11-01T12:00:01.000Z' })],
    ['hash', (event: RecordedEvent) => withMetadata(event, { hash: 'f'.repeat(64) })],
  ])('names the event whose %s was changed', (_, tamper) => {
    const tampered = events.map((event, index) => (index === 2 ? tamper(event) : event));
    expect(firstBrokenLink(tampered)).toMatchObject({ revision: tampered[2]?.revision });
  });

  it('names the event behind one that was taken out, and one put in its place with a hash of its own', () => {
    expect(firstBrokenLink([events[0], events[2], events[3]] as RecordedEvent[])).toMatchObject({ revision: 2 });
    const forged = rehash({ ...(events[1] as RecordedEvent), data: { n: 99 } });
    const replaced = [events[0], forged, events[2], events[3]] as RecordedEvent[];
    expect(firstBrokenLink(replaced)).toMatchObject({ revision: 2 });
  });
});

function withMetadata(event: RecordedEvent, change: Partial<RecordedEvent['metadata']>): RecordedEvent {
  return { ...event, metadata: { ...event.metadata, ...change } };
}

function rehash(event: RecordedEvent): RecordedEvent {
  const { hash: _old, ...metadata } = event.metadata;
  return withMetadata(event, { hash: eventHash(event.stream, event.revision, { ...event, metadata }) });
}

function chain(length: number): RecordedEvent[] {
  const events: RecordedEvent[] = [];
  for (let revision = 0; revision < length; revision++) {
    const event: RecordedEvent = {
      id: `event-${revision}`,
      stream: 'test.thing-1',
      revision,
      position: revision as LogPosition,
      type: 'ThingHappened',
      data: { n: revision },
      metadata: {
        actor: { role: 'api', type: 'api_key', id: 'key_1' },
        merchant_id: null,
        mode: 'test',
        command_id: 'c',
        request_id: null,
        correlation_id: 'c',
        causation_id: null,
        occurred_at: '2026-11-01T12:00:00.000Z',
        recorded_at: '2026-11-01T12:00:00.000Z',
        ip: null,
        schema: 1,
        prev_hash: events.at(-1)?.metadata.hash ?? GENESIS_HASH,
        hash: '',
      },
    };
    events.push(rehash(event));
  }
  return events;
}
