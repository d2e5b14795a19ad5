import { sanctionedAddresses } from '../../../src/modules/controls/sanctioned-address.decider';
import type { SanctionedAddressEvent } from '../../../src/modules/controls/sanctioned-address.events';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'admin', type: 'user', id: 'adm_1' }, now: 0 } as const;
const PLACE = { network: 'base', list_source: 'ofac-sdn' } as const;
const FACTS = { ...PLACE, address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906', reference: 'SDN 17' };
const ADDED: SanctionedAddressEvent = { type: 'SanctionsEntryAdded', data: FACTS };
const REMOVED: SanctionedAddressEvent = { type: 'SanctionsEntryRemoved', data: { ...PLACE, reason: 'A namesake.' } };

const adding = (change: object = {}) =>
  ({ type: 'add', entry: { id: '90f79bf6eb2c4f870365e785982e1f101e93b906', ...FACTS, ...change } }) as const;
const removing = (change: object = {}) =>
  ({ type: 'remove', place: { ...PLACE, ...change }, reason: 'A namesake.' }) as const;

describe('a sanctioned address', () => {
  it('is listed once, removed once, and listed again', () => {
    given(sanctionedAddresses, []).when(removing(), CONTEXT).then([]);
    given(sanctionedAddresses, []).when(adding(), CONTEXT).then([ADDED]);
    given(sanctionedAddresses, [ADDED]).when(removing(), CONTEXT).then([REMOVED]);
    given(sanctionedAddresses, [ADDED, REMOVED]).when(removing(), CONTEXT).then([]);
    given(sanctionedAddresses, [ADDED, REMOVED]).when(adding(), CONTEXT).then([ADDED]);
  });

  it('is named once by a list on a network, whatever its reference', () => {
    given(sanctionedAddresses, [ADDED]).when(adding(), CONTEXT).thenRefused('duplicate_sanctions_entry');
    given(sanctionedAddresses, [ADDED])
      .when(adding({ reference: 'SDN 18' }), CONTEXT)
      .thenRefused('duplicate_sanctions_entry');
  });

  it.each([{ network: 'tron' }, { list_source: 'eu-fsf' }] as const)('has another entry by %j', change => {
    const other: SanctionedAddressEvent = { type: 'SanctionsEntryAdded', data: { ...FACTS, ...change } };
    given(sanctionedAddresses, [ADDED]).when(adding(change), CONTEXT).then([other]);
    given(sanctionedAddresses, [ADDED]).when(removing(change), CONTEXT).then([]);
    const state = given(sanctionedAddresses, [ADDED, other]).when(removing(), CONTEXT).then([REMOVED]);
    expect(state).toStrictEqual([{ ...PLACE, ...change }]);
  });
});
