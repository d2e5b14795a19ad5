import { walletsProjection } from '../../projections/wallets.projection';
import { ALL_PROJECTIONS } from '../../projections/all';
import { isTaken, streamId, type Projection } from '../../src/kernel/projection';
import type { ReadModel } from '../../src/kernel/ports/read-models';

type ShelfEvent =
  | { readonly type: 'QuoteExpired'; readonly data: { readonly at: string } }
  | { readonly type: 'QuoteDropped'; readonly data: Record<string, never> };
type ShelfDocument = { readonly since: string };

const shelves: ReadModel<ShelfDocument> = { name: 'shelves', version: 1, indexes: { by_time: ['since', 'id'] } };
const facts = { ...shelves, categories: ['shelf'], key: streamId };

// Each expected error is one of the compiler's: the build fails where a line compiles that must not.
export const MISSPELT: Projection<ShelfDocument, ShelfEvent> = {
  ...facts,
  mirrors: false,
  // @ts-expect-error No event of the union has that name.
  on: { QuoteExpird: () => null },
};
// @ts-expect-error A mirror handles every type, or names it as null.
export const INCOMPLETE: Projection<ShelfDocument, ShelfEvent> = {
  ...facts,
  mirrors: true,
  on: { QuoteExpired: () => null },
};
export const TOO_MANY: Projection<ShelfDocument, ShelfEvent> = {
  ...facts,
  mirrors: true,
  // @ts-expect-error No event of the union has that name.
  on: { QuoteExpired: () => null, QuoteDropped: null, QuoteExpird: null },
};
export const OTHER_DATA: Projection<ShelfDocument, ShelfEvent> = {
  ...facts,
  mirrors: false,
  // @ts-expect-error The event's data has no such field.
  on: { QuoteExpired: (_, { data }) => ({ since: data.when }) },
};
export const OTHER_DOCUMENT: Projection<ShelfDocument, ShelfEvent> = {
  ...facts,
  mirrors: false,
  // @ts-expect-error The document lacks a field.
  on: { QuoteExpired: () => ({}) },
};
export const UNINDEXABLE: ReadModel<ShelfDocument> = {
  name: 'shelves',
  version: 1,
  // @ts-expect-error No field of the document has that name.
  indexes: { by_time: ['sinse', 'id'] },
};

it('takes no event that a mirror names as null', () => {
  const { on } = walletsProjection;
  const types = Object.keys(on);
  const taken = ['WalletRegistered', 'WalletVerified', 'WalletChanged'];
  expect(types.filter(type => isTaken(walletsProjection, type))).toStrictEqual(taken);
  expect(types).toStrictEqual(expect.arrayContaining(['WalletChallengeIssued', 'WalletDepositAsked']));
  expect(isTaken(walletsProjection, 'toString')).toBe(false);
});

it.each(ALL_PROJECTIONS.map(projection => [projection.name, projection] as const))(
  'fills %s, a read model of its own',
  (name, projection) => {
    expect(ALL_PROJECTIONS.filter(other => other.name === name)).toStrictEqual([projection]);
    expect(Object.keys(projection.on).some(type => isTaken(projection, type))).toBe(true);
  },
);
