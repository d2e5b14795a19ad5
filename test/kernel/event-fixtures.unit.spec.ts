/**
 * Events stay in the log for ever, so each shape that was ever recorded has a frozen entry in `test/fixtures/events`.
 * The file `test/fixtures/README.md` tells how to add one.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGGREGATES, CATEGORIES, UPCASTS } from '../../src/composition/aggregates';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event';
import { canonicalJson } from '../../src/vocabulary/json';
import { START_OF_LOG } from '../../src/kernel/ports/event-store';
import { newestVersion, upcast } from '../../src/kernel/upcasting';
import { metadata } from '../contracts/contract-support';
import { NEWEST } from '../fixtures/events/newest';

type Entry = DomainEvent & { readonly schema: number };

const FIXTURES = join(__dirname, '../fixtures/events');
const MODULES = join(__dirname, '../../src/modules');
const FROZEN = 'frozen.json';

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
}

const FILES = readdirSync(FIXTURES).filter(file => file.endsWith('.json') && file !== FROZEN);
const ENTRIES = new Map(FILES.map(file => [file.slice(0, -'.json'.length), readJson(file) as readonly Entry[]]));
const FROZEN_LINES = readJson(FROZEN) as Readonly<Record<string, readonly string[]>>;

/** Each type that the modules can record, by its literal in their sources. */
const SOURCE_TYPES = readdirSync(MODULES, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.events.ts'))
  .flatMap(file => [...readFileSync(join(MODULES, file), 'utf8').matchAll(/readonly type: '(\w+)'/g)])
  .map(match => match[1] as string);

function recorded(category: string, { type, data, schema }: Entry): RecordedEvent {
  const place = { id: 'fixture', stream: `test.${category}-1`, revision: 0, position: START_OF_LOG };
  return { ...place, type, data, metadata: metadata({ schema }) };
}

function newest(category: string, entry: Entry): DomainEvent {
  const { type, data } = upcast(UPCASTS, recorded(category, entry));
  return { type, data };
}

function labelOf({ type, schema }: Pick<Entry, 'type' | 'schema'>): string {
  return `${type} version ${schema}`;
}

/** `<type> version <schema> <SHA-256 of the entry's canonical JSON>` */
function frozenLine(entry: Entry): string {
  return `${labelOf(entry)} ${createHash('sha256').update(canonicalJson(entry)).digest('hex')}`;
}

/** The complaints about one file; none where each entry is as it was frozen, and each is frozen. */
function thawed(category: string, entries: readonly Entry[], frozen: readonly string[]): readonly string[] {
  const lines = entries.map(frozenLine);
  const lost = frozen.flatMap((line, index) => {
    if (lines.includes(line)) return [];
    const label = line.slice(0, line.lastIndexOf(' '));
    return `${category}.json, entry ${index} (${label}) was changed or removed. A shipped shape never changes: restore it, write an upcast, and add an entry.`;
  });
  // A changed entry is no new one, so its new hash is not offered.
  if (lost.length > 0) return lost;
  const unfrozen = lines.filter(line => !frozen.includes(line));
  return unfrozen.map(line => `${category}.json has a new entry: add "${line}" to ${FROZEN}.`);
}

it('has one file for each category', () => {
  const categories = CATEGORIES.toSorted();
  expect([...ENTRIES.keys()].toSorted()).toStrictEqual(categories);
  expect(Object.keys(NEWEST).toSorted()).toStrictEqual(categories);
  expect(Object.keys(FROZEN_LINES).toSorted()).toStrictEqual(categories);
});

it('has an entry of every type that a module records, and of no other', () => {
  expect(SOURCE_TYPES.length).toBeGreaterThan(0);
  const recordedTypes = [...SOURCE_TYPES, ...Object.values(UPCASTS).flatMap(upcasts => Object.keys(upcasts))];
  const entryTypes = [...ENTRIES.values()].flat().map(({ type }) => type);
  expect([...new Set(entryTypes)].toSorted()).toStrictEqual([...new Set(recordedTypes)].toSorted());
});

describe.each([...ENTRIES])('the frozen events of %s', (category, entries) => {
  const expected = NEWEST[category] ?? [];
  const upcasts = UPCASTS[category] ?? {};

  it.each(entries.map((entry, index) => [index, labelOf(entry), entry] as const))(
    'are read in the newest shape: entry %i, %s',
    (index, _, entry) => {
      expect(newest(category, entry)).toStrictEqual(expected[index]);
    },
  );

  it('are as many as the expected ones', () => {
    expect(entries).toHaveLength(expected.length);
  });

  it('have every version of each type', () => {
    const versions = entries.map(({ type }) => {
      // An upcast has renamed a type that no module names: its newest version was never recorded.
      const last = newestVersion(upcasts, type) - (SOURCE_TYPES.includes(type) ? 0 : 1);
      return Array.from({ length: last }, (_, step) => labelOf({ type, schema: step + 1 }));
    });
    expect(new Set(entries.map(labelOf))).toStrictEqual(new Set(versions.flat()));
  });

  it('never change', () => {
    expect(thawed(category, entries, FROZEN_LINES[category] ?? [])).toStrictEqual([]);
  });

  it('are folded, each alone and all in their order', () => {
    const aggregate = AGGREGATES.find(each => each.category === category);
    if (!aggregate) throw new Error(`no aggregate writes ${category}`);
    const { initial, evolve } = aggregate;
    const events = entries.map(entry => newest(category, entry));
    const alone = events.map(event => evolve(initial as never, event as never));
    // The first entry opens a stream.
    expect(alone[0]).not.toStrictEqual(initial);
    expect(alone).not.toContain(undefined);
    expect(events.reduce((state, event) => evolve(state as never, event as never), initial)).toBeDefined();
  });
});
