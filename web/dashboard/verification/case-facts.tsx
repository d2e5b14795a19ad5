import type { ShownKybCase } from '../../../src/modules/kyb/queries/get-kyb-standing.query';
import { Card } from '../../parts/card';
import { DataTable } from '../../parts/data-table';
import { Definitions } from '../../parts/definitions';
import { TimeOf } from '../../parts/time-of';
import { countryName } from '../../words/countries';
import { percentOfBps } from '../../words/percent';

/** A case as it was submitted. */
export function CaseFacts({ current: { business, owners, submitted_at: submitted } }: { current: ShownKybCase }) {
  if (business === null) return null;
  return (
    <>
      <Card title="Business">
        <Definitions
          entries={[
            ['Registered name', business.legal_name],
            ['Country', countryName(business.country)],
            ['Registration number', business.registration_number],
            ['Address', <span class="note-text">{business.address}</span>],
            ['Website', business.website ?? 'None'],
            ...(submitted === null ? [] : [['Submitted', <TimeOf key="at" at={submitted} />] as const]),
          ]}
        />
      </Card>
      <Card title="Owners">
        <DataTable
          name="Owners"
          columns={[{ heading: 'Name' }, { heading: 'Country' }, { heading: 'Share', isNumber: true }]}
          rows={owners.map(({ name, country, share_bps: share }, index) => ({
            key: String(index),
            cells: [name, countryName(country), `${percentOfBps(share)}%`],
          }))}
        />
      </Card>
    </>
  );
}
