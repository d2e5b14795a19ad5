import type { ErrorCode, Refusal } from '../../src/vocabulary/errors';
import { peopleFault } from './people-faults';

/** The labels of a list's filters by their names in the address. */
export type FilterLabels = Readonly<Record<string, string>>;

/** Sentences about the list, whichever filter was given. */
const OF_LISTS: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_cursor: 'This part of the list is not there. Begin with the newest.',
  invalid_limit: 'A page of a list has 1 to 100 rows.',
};
/** Filters of a few values, which the page offers. */
const CHOSEN = ['action', 'active', 'delivered', 'mode', 'network_id', 'status', 'token_id', 'type', 'wallet'];
const NOT_OFFERED = 'Choose one of those that the page offers.';
const NO_DAY = 'Choose a day of the calendar, such as 2026-11-21.';

/** Why a list's filter was refused, in words for people that name the filter as its page does. */
export function filterFault(refusal: Refusal, labels: FilterLabels): string {
  const { code, param } = refusal;
  const ofList = OF_LISTS[code];
  if (ofList !== undefined) return ofList;
  if (param === null) return peopleFault(refusal);
  const label = labels[param];
  if (label === undefined) return `This list has no filter “${param}”.`;
  if (code === 'invalid_timestamp') return `${label}: ${NO_DAY}`;
  const isChosen = code === 'invalid_filter' && CHOSEN.includes(param);
  return `${label}: ${isChosen ? NOT_OFFERED : peopleFault(refusal)}`;
}
