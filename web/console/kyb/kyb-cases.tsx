import { kybCases } from '../../../src/modules/administration/api/lists/kyb-cases';
import { Card } from '../../parts/card';
import { DataTable } from '../../parts/data-table';
import { Definitions } from '../../parts/definitions';
import { usePaths } from '../../parts/signed-context';
import { spoken, type Tone } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { countryName } from '../../words/countries';
import { fileSize } from '../../words/file-size';
import { percentOfBps } from '../../words/percent';
import { ActionLink } from '../actions/action-link';
import type { ListPages } from '../lists/list-pages';
import { MerchantLink, StateBadge } from '../lists/object-words';
import type { RowOf } from '../lists/row-of';

type Case = RowOf<typeof kybCases>;
const TONES: Readonly<Record<string, Tone>> = { open: 'idle', submitted: 'warn', approved: 'ok', rejected: 'bad' };

/** The verifications of businesses. */
export const KYB_CASES: ListPages<Case> = {
  list: kybCases,
  path: 'kyb',
  title: 'Verification',
  icon: 'shield-check',
  none: 'No case was opened yet',
  columns: [{ heading: 'Business' }, { heading: 'Status' }, { heading: 'Merchant' }, { heading: 'Handed in' }],
  cells: ({ business, status, merchant_id, submitted_at }) => [
    business?.legal_name ?? 'Not told yet',
    <StateBadge text={status} tones={TONES} />,
    <MerchantLink id={merchant_id} />,
    submitted_at === null ? 'Not yet' : <TimeOf at={submitted_at} />,
  ],
  detail: {
    title: ({ business, id }) => business?.legal_name ?? `Case ${id}`,
    actions: ({ row: { id, status } }) =>
      status === 'submitted' ? (
        <>
          <ActionLink action="approveKybCase" text="Approve" target={id} isMain />
          <ActionLink action="rejectKybCase" text="Reject" target={id} isDanger />
        </>
      ) : null,
    body: CaseBody,
  },
};

function CaseBody({ row }: { readonly row: Case }) {
  const { id, merchant_id, status, business, owners, submitted_at, decided_at, note } = row;
  return (
    <>
      <div class="columns even">
        <Card title="Case" liveId="case" said={status}>
          <Definitions
            entries={[
              ['Status', <StateBadge text={status} tones={TONES} />],
              ['Id', <code>{id}</code>],
              ['Merchant', <MerchantLink id={merchant_id} />],
              ['Handed in', submitted_at === null ? 'Not yet' : <TimeOf at={submitted_at} />],
              ['Decided', decided_at === null ? 'Not yet' : <TimeOf at={decided_at} />],
              ['Note on the decision', note ?? 'None'],
            ]}
          />
        </Card>
        <Card title="Business">
          {business === null ? (
            <p>The merchant has not told of the business yet.</p>
          ) : (
            <Definitions
              entries={[
                ['Legal name', business.legal_name],
                ['Country', countryName(business.country)],
                ['Registration number', business.registration_number],
                ['Address', business.address],
                ['Website', business.website ?? 'None'],
              ]}
            />
          )}
        </Card>
      </div>
      <Card title="Owners">
        {owners.length === 0 ? (
          <p>None are named.</p>
        ) : (
          <DataTable
            name="Owners"
            columns={[{ heading: 'Name' }, { heading: 'Country' }, { heading: 'Share', isNumber: true }]}
            rows={owners.map(({ name, country, share_bps }) => ({
              key: name,
              cells: [name, countryName(country), `${percentOfBps(share_bps)}%`],
            }))}
          />
        )}
      </Card>
      <Documents row={row} />
    </>
  );
}

function Documents({ row: { id, documents } }: { readonly row: Case }) {
  const paths = usePaths();
  return (
    <Card title="Documents">
      {documents.length === 0 ? (
        <p>None were sent.</p>
      ) : (
        <DataTable
          name="Documents"
          columns={[
            { heading: 'Name' },
            { heading: 'Kind' },
            { heading: 'Size', isNumber: true },
            { heading: 'SHA-256' },
          ]}
          rows={documents.map(({ id: documentId, name, kind, size, sha256 }) => ({
            key: documentId,
            cells: [
              <a href={paths(`kyb/${id}/documents/${documentId}`)} download>
                {name}
              </a>,
              spoken(kind),
              fileSize(size),
              <span class="hash">{sha256}</span>,
            ],
          }))}
        />
      )}
    </Card>
  );
}
