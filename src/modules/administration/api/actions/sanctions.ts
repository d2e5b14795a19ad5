import { Reason } from '../../../../platform/http/fields/admin-fields';
import { Text } from '../../../../platform/http/fields/text-fields';
import { refuse } from '../../../../vocabulary/errors';
import { NETWORK_IDS } from '../../../../vocabulary/networks';
import { AddSanctionsEntry, RemoveSanctionsEntry } from '../../../controls/commands/sanctions-entry.command';
import {
  sanctionedAddressesReadModel,
  type SanctionedAddressDocument,
} from '../../../controls/sanctioned-addresses.read-model';
import { checkedEntry, type GivenEntry } from '../../../controls/sanctions-entry';
import { row, settingAction, type ActionReads } from '../admin-action';

const INVALID = 'invalid_sanctions_entry';

class AddSanctionsEntryDto {
  @Text({ code: 'invalid_sanctions_address', description: 'The address as the list has it' })
  address!: string;

  @Text({ code: INVALID, later: { enum: NETWORK_IDS }, description: 'The network of the address', example: 'tron' })
  network!: string;

  @Text({ code: INVALID, description: 'The publisher of the list', example: 'ofac-sdn' })
  list_source!: string;

  @Text({ code: INVALID, description: 'The place in that list' })
  reference!: string;
}

class RemoveSanctionsEntryDto {
  @Text({ code: INVALID, later: { enum: NETWORK_IDS }, description: 'The network of the entry', example: 'tron' })
  network!: string;

  @Text({ code: INVALID, description: 'The publisher of the list', example: 'ofac-sdn' })
  list_source!: string;

  @Reason()
  reason!: string;
}

/** Twenty bytes as hex. */
const ADDRESS_ID = /^[0-9a-f]{40}$/;

async function listed({ find }: ActionReads, id: string): Promise<SanctionedAddressDocument['entries']> {
  const found = ADDRESS_ID.test(id) ? await find(sanctionedAddressesReadModel, ['platform'], id) : null;
  return found?.body.entries ?? [];
}

/** Throws Refusal resource_missing. */
function addressIdOf(target: string): string {
  if (ADDRESS_ID.test(target)) return target;
  throw refuse('resource_missing');
}

const entryOf = ({ list_source: listSource, ...rest }: AddSanctionsEntryDto): GivenEntry => ({ ...rest, listSource });

export const addSanctionsEntry = settingAction({
  permission: 'sanctions.edit',
  path: 'sanctions',
  summary: 'List an address beside the imported lists',
  body: AddSanctionsEntryDto,
  refuses: ['invalid_sanctions_address', INVALID, 'duplicate_sanctions_entry'],
  targetOf: body => checkedEntry(entryOf(body)).id,
  look: async (reads, { target }) => ({ entries: await listed(reads, target) }),
  difference: ({ entries }, { network, list_source, reference }) => [
    row('entries', String(entries.length), String(entries.length + 1)),
    row('network', null, network),
    row('list_source', null, list_source),
    row('reference', null, reference),
  ],
  words: (_, { body: { address } }) => ({
    does: 'Holds payments of this payer from the next screening on, on every network.',
    to: `Whoever pays from ${address}, to any merchant.`,
    cannotUndo: 'A payment that is held stays held until two administrators decide. The entry can be removed.',
  }),
  command: ({ body, execution }) => new AddSanctionsEntry(entryOf(body), execution.context),
});

export const removeSanctionsEntry = settingAction({
  permission: 'sanctions.edit',
  path: 'sanctions/:id/remove',
  summary: 'Remove an entry that an administrator has added',
  body: RemoveSanctionsEntryDto,
  refuses: ['resource_missing', INVALID, 'invalid_reason'],
  look: async (reads, { target }) => ({ entries: await listed(reads, addressIdOf(target)) }),
  difference: ({ entries }, { network, list_source, reason }) => [
    row(
      'reference',
      entries.find(each => each.network === network && each.list_source === list_source)?.reference ?? null,
      null,
    ),
    row('reason', null, reason),
  ],
  words: ({ entries }, { target }) => ({
    does: 'Takes the entry back from the next screening on. Imported lists and other entries of the address stay.',
    to: `Whoever pays from ${entries[0]?.address ?? target}, to any merchant.`,
    cannotUndo: 'Payments that were cleared meanwhile stay cleared. The entry can be added again.',
  }),
  command: ({ target, body: { network, list_source: listSource, reason }, execution }) =>
    new RemoveSanctionsEntry(addressIdOf(target), { network, listSource }, reason, execution.context),
});
