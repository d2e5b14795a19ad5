import { rankCandidates } from '../../../src/modules/transfers/candidate-ranking';
import { searchSize } from '../../levels/search-size';
import { Prng } from '../../simulation/prng';
import { mishap, type Mishap } from './mistake-corpus';

const CASES = searchSize('CANDIDATE_CASES', { small: 1_000, full: 2_500 });
const SEED = 20_261_101;
const FIRST_AT_LEAST = 0.95;
/** Transfers of each kind of mistake by itself. */
const FIRST_OF_KIND_AT_LEAST = 0.9;

/** The place of the payment that was meant; null where that payment is not among the kept ones. */
function placeOf({ token, unmatched, siblings, payments, meant }: Mishap): number | null {
  const surroundings = { token, siblings, knownTo: new Set<string>(), named: null };
  const place = rankCandidates(unmatched, payments, surroundings).findIndex(
    ({ payment_intent }) => payment_intent === meant,
  );
  return place < 0 ? null : place + 1;
}

function shareOfFirst(places: readonly (number | null)[]): number {
  return places.filter(place => place === 1).length / places.length;
}

describe(`the payment meant, in ${CASES} simulated mishaps`, () => {
  const prng = new Prng(SEED);
  const placed = Array.from({ length: CASES }, (_, number) => mishap(prng, number)).map(each => ({
    kind: each.kind,
    place: placeOf(each),
  }));
  const ratio = shareOfFirst(placed.map(({ place }) => place));
  const kinds = [...new Set(placed.map(({ kind }) => kind))].sort();

  it(`is ranked first in ${(ratio * 100).toFixed(1)} % of them, at least in ${FIRST_AT_LEAST * 100} %`, () => {
    expect(ratio).toBeGreaterThanOrEqual(FIRST_AT_LEAST);
  });

  it.each(kinds)('is ranked first as a rule after: %s', kind => {
    const own = placed.filter(each => each.kind === kind).map(({ place }) => place);
    expect(own.length).toBeGreaterThan(CASES / 100);
    expect(shareOfFirst(own)).toBeGreaterThanOrEqual(FIRST_OF_KIND_AT_LEAST);
  });

  it('is among those that are kept in all but one of a hundred', () => {
    expect(placed.filter(({ place }) => place === null).length).toBeLessThanOrEqual(CASES / 100);
  });
});
