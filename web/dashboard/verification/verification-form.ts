import type { KybBusiness, KybOwner } from '../../../src/modules/kyb/kyb-case.events';
import type { FormBody } from '../../../src/platform/http/form-body';
import { typedPercent } from '../typed-fields';
import { BUSINESS_FIELDS, OWNER_ROWS, ownerField } from './verification-fields';

const OWNER = /^owners\[(\d+)\]/;

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

/** The case in a form. Rows of owners that were left empty do not count. Throws Refusal invalid_bps. */
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
      share_bps: typedPercent(of(ownerField(row, 'share_bps')), ownerField(row, 'share_bps')),
    })),
    fieldOf: param => param.replace(OWNER, (_, index: string) => `owners[${rows[Number(index)]}]`),
  };
}
