import { sanctions } from '../../../src/modules/administration/api/lists/controls';
import { TimeOf } from '../../parts/time-of';
import { networkName } from '../../words/chain-names';
import { ActionLink } from '../actions/action-link';
import type { ListPages } from '../lists/list-pages';
import type { RowOf } from '../lists/row-of';

/** The addresses that administrators have listed beside the imported lists. */
export const SANCTIONS: ListPages<RowOf<typeof sanctions>> = {
  list: sanctions,
  path: 'sanctions',
  title: 'Sanctioned addresses',
  icon: 'triangle-alert',
  none: 'No address was added here; imported lists count besides',
  columns: [{ heading: 'Address' }, { heading: 'Entries' }, { heading: 'Since' }, { heading: 'Remove' }],
  cells: ({ id, entries, created }) => [
    <code>{entries[0]?.address ?? id}</code>,
    <ul>
      {entries.map(({ network, list_source: source, reference }) => (
        <li key={`${network} ${source}`}>
          {networkName(network)}, {source}: {reference}
        </li>
      ))}
    </ul>,
    <TimeOf at={created} />,
    entries.map(({ network, list_source, address }) => (
      <ActionLink
        key={`${network} ${list_source}`}
        action="removeSanctionsEntry"
        text="Remove"
        target={id}
        fields={{ network, list_source }}
        of={`${address} of ${list_source}`}
      />
    )),
  ],
  actions: () => <ActionLink action="addSanctionsEntry" text="Add an address" isMain />,
  detail: null,
};
