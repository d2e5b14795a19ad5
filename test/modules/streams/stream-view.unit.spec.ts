import { statesOf } from '../../../src/composition/streams';
import { EVENT_TYPES } from '../../../src/composition/event-types';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { LogPosition } from '../../../src/kernel/log-position';
import { actorWords } from '../../../src/modules/streams/event-reason';
import { streamView } from '../../../src/modules/streams/stream-view';
import type { JsonObject, JsonValue } from '../../../src/vocabulary/json';
import { metadata } from '../../contracts/contract-support';
import { NEWEST } from '../../fixtures/events/newest';

const SECRET =
  /password_?hash|totp_?secret|code_?hash|key_?hash|sealed_?secret|wrapped$|credential_?(?:hash|id)|public_?key|nonce|^challenge$/i;

/** Each frozen event of the category, as if one stream held all of them, a second after the other. */
function recorded(category: string): readonly RecordedEvent[] {
  const id =
    { transfer: 'base:0x1:0', balance: 'wal_1:usdc-base:2026-11-01', webhook_delivery: 'evt_1:we_1' }[category] ?? '1';
  return (NEWEST[category] ?? []).map(({ type, data }, revision) => ({
    ...{ id: `${category}-${revision}`, type, data, stream: `test.${category}-${id}`, revision },
    position: revision as LogPosition,
    metadata: { ...metadata(), recorded_at: `2026-11-01T00:00:0${revision % 10}.000Z` },
  }));
}

function viewOf(
  events: readonly RecordedEvent[],
  ...[moment = null, beside]: [Parameters<typeof streamView>[1]?, number?]
) {
  const stream = events[0]?.stream ?? '';
  return streamView({ stream, events, states: statesOf(stream, events), broken: null }, moment, beside);
}

function membersOf(value: JsonValue): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value as JsonObject).flatMap(membersOf);
  return Array.isArray(value) ? inside : [...Object.keys(value), ...inside];
}

describe.each(Object.keys(EVENT_TYPES))('a stream of %s', category => {
  const events = recorded(category);
  const view = viewOf(events, null, Infinity);

  it('tells why each event came about, in words', () => {
    expect(view.events).toHaveLength(events.length);
    for (const { type, reason } of view.events) {
      expect(reason).toMatch(/^[^\s].*[.”]$/s);
      expect(reason).not.toMatch(/undefined|null|NaN|\[object/);
      expect(reason).not.toContain(type);
    }
  });

  it('shows no secret', () => {
    const shown = [view.state, ...view.events.map(({ data }) => data)].flatMap(each => membersOf(each));
    const changed = view.events.flatMap(({ changes }) => changes.flatMap(({ field }) => field.split('.')));
    expect([...shown, ...changed].filter(name => SECRET.test(name))).toEqual([]);
  });
});

it.each([
  [{ role: 'watcher', type: 'system', id: 'chain_watch' }, 'the watcher'],
  [{ role: 'admin', type: 'system', id: 'cli:alice' }, 'an administrator (cli:alice)'],
  [{ role: 'admin', type: 'admin', id: 'adm_1' }, 'an administrator (adm_1)'],
] as const)('says who acted: %j', (actor, words) => {
  expect(actorWords(actor)).toBe(words);
});

describe('a merchant', () => {
  const event = (revision: number, type: string, data: JsonObject): RecordedEvent => ({
    ...{
      id: `e${revision}`,
      type,
      data,
      stream: 'platform.merchant-mch_1',
      revision,
      position: revision as LogPosition,
    },
    metadata: { ...metadata(), merchant_id: 'mch_1', recorded_at: `2026-11-0${revision + 1}T00:00:00.000Z` },
  });
  const events = [
    event(0, 'MerchantRegistered', { name: 'Shop', email: 'a@example.com' }),
    event(1, 'MerchantDisabled', { reason: 'Odd payments.' }),
    event(2, 'MerchantEnabled', { reason: 'Explained.' }),
  ];

  it('is shown as it is now, with the difference that each event made', () => {
    const view = viewOf(events);
    expect(view).toMatchObject({ revisions: 3, is_newest: true, as_of: { revision: 2 }, earlier: 0, later: 0 });
    expect(view.state).toMatchObject({ name: 'Shop', status: 'active' });
    expect(view.events[1]?.changes).toContainEqual({ field: 'status', before: 'active', after: 'disabled' });
    expect(view.events[1]?.reason).toContain('“Odd payments.”');
  });

  it.each([
    ['a revision', { revision: 1 }],
    ['a time', { timeMs: Date.parse('2026-11-02T12:00:00Z') }],
  ])('is shown as of %s', (_, moment) => {
    const view = viewOf(events, moment);
    expect(view).toMatchObject({ is_newest: false, as_of: { revision: 1 }, state: { status: 'disabled' } });
    expect(view.events.map(({ is_later: isLater }) => isLater)).toEqual([false, false, true]);
  });

  it('is nothing before its first event', () => {
    const view = viewOf(events, { timeMs: Date.parse('2026-10-01T00:00:00Z') });
    expect(view).toMatchObject({ as_of: null, state: null, is_newest: false });
    expect(view.events.every(({ is_later: isLater }) => isLater)).toBe(true);
  });

  it('shows the events beside the moment, and counts the others', () => {
    const view = viewOf(events, { revision: 1 }, 0);
    expect(view).toMatchObject({ earlier: 1, later: 1, state: { status: 'disabled' } });
    expect(view.events.map(({ revision }) => revision)).toEqual([1]);
    expect(view.events[0]?.changes).toContainEqual({ field: 'status', before: 'active', after: 'disabled' });
  });

  it.each([-1, 3, 0.5])('has no revision %d', revision => {
    expect(() => viewOf(events, { revision })).toThrow(expect.objectContaining({ code: 'parameter_invalid' }));
  });
});
