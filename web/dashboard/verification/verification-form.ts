import type { KybBusiness, KybOwner } from '../../../src/modules/kyb/kyb-case.events';
import type { FormBody } from '../../../src/platform/http/form-body';
import { refuse } from '../../../src/vocabulary/errors';
import { bpsOfPercent } from '../../words/percent';
import { BUSINESS_FIELDS, OWNER_ROWS, ownerField } from './verification-fields';

const OWNER = /^owners\[(\d+)\]/;
const HIGHEST_BPS = 10_000;

type SentCase = {
  readonly business: KybBusiness;
  readonly owners: readonly KybOwner[];
  /** The form's own field for one that the command names. */
  readonly fieldOf: (param: string) => string;
};

/** The names of all fields of the form. */
export const CASE_FIELDS: readonly string[] = [
  ...BUSINESS_FIELDS.map(name => `business[${name}]`),
  ...OWNER_ROWS.flatMap(row => [ownerField(row, 'name'), ownerField(row, 'country'), ownerField(row, 'share_bps')]),
];

/** The case in a form. Rows of owners that were left empty do not count. Throws Refusal parameter_invalid. */
export function caseIn(form: FormBody): SentCase {
  const of = (name: string) => form[name] ?? '';
  const rows = OWNER_ROWS.filter(row => of(ownerField(row, 'name')).trim() !== '' || of(ownerField(row, 'share_bps')));
  const business = (name: string) => of(`business[${name}]`);
  return {
    business: {
      legal_name: business('legal_name'),
      country: business('country'),
      registration_number: business('registration_number'),
      address: business('address'),
      website: business('website'),
    },
    owners: rows.map(row => ({
      name: of(ownerField(row, 'name')),
      country: of(ownerField(row, 'country')),
      share_bps: shareIn(of(ownerField(row, 'share_bps')), row),
    })),
    fieldOf: param => param.replace(OWNER, (_, index: string) => `owners[${rows[Number(index)]}]`),
  };
}

function shareIn(text: string, row: number): number {
  const bps = bpsOfPercent(text);
  if (bps !== null && bps > 0 && bps <= HIGHEST_BPS) return bps;
  const message = 'Write a share in percent with at most two decimals, such as 50 or 33.33.';
  throw refuse('parameter_invalid', { param: ownerField(row, 'share_bps'), message });
}
