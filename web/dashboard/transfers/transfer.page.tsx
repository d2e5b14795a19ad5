import type { PaymentRow } from '../../../src/modules/payment-intents/queries/find-payments.query';
import type { UnmatchedTransferResource } from '../../../src/modules/transfers/api/unmatched-transfers.contract';
import { Address, Hash } from '../../parts/address';
import { Candidates } from '../../parts/candidates';
import { Card, Live } from '../../parts/card';
import { Confirm } from '../../parts/confirm';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { ChoiceField, TextAreaField, TextField } from '../../parts/fields';
import { Money } from '../../parts/money';
import { Note } from '../../parts/note';
import { useFault, usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { StatusBadge } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { networkName } from '../../words/chain-names';
import { queueReason } from '../../words/queue-reasons';
import { PaymentLink } from '../payments/fact-words';
import { about } from '../payments/payments.page';
import { TransferBadge } from './transfers.page';

type Props = { readonly transfer: UnmatchedTransferResource };
type CandidateProps = Props & {
  /** The candidates' payments by their ids. */
  readonly payments: Readonly<Record<string, PaymentRow>>;
};

const BECAME = { returned: 'the money went back to its sender', kept: 'the money stays with you' } as const;
const OUTCOMES = [
  { value: 'returned', text: `Returned: ${BECAME.returned}` },
  { value: 'kept', text: `Kept: ${BECAME.kept}` },
];

/** One transfer without a payment, with the payments that it may be meant for. */
export function TransferPage({ transfer, payments }: CandidateProps) {
  const { id, token_amount, asset_symbol, status, candidates } = transfer;
  const isOpen = status === 'unmatched';
  return (
    <DashboardPage
      title={`Transfer ${id}`}
      heading={`${token_amount} ${asset_symbol}`}
      current="transfers"
      back={{ path: 'transfers', text: 'Unmatched transfers' }}
      actions={
        <Live id="status" said={`Status: ${status.replaceAll('_', ' ')}`}>
          <TransferBadge status={status} />
        </Live>
      }
    >
      <div class="columns">
        <div class="stack">
          <Card title={transfer.set_aside ? 'What became of it' : 'Payments it may be meant for'} liveId="candidates">
            {status === 'attribution_failed' && <FailedNote />}
            {transfer.set_aside && <SetAsideNote {...transfer.set_aside} />}
            {candidates.length === 0 && isOpen && (
              <p>No payment of yours explains this amount. You can name the payment yourself.</p>
            )}
            {isOpen && <CandidateList {...{ transfer, payments }} />}
          </Card>
          {isOpen && <Decisions transfer={transfer} />}
        </div>
        <Facts transfer={transfer} />
      </div>
    </DashboardPage>
  );
}

function CandidateList({ transfer: { id, candidates, asset_symbol }, payments }: CandidateProps) {
  const mayAttribute = useMay('transfer.attribute');
  if (candidates.length === 0) return null;
  return (
    <Candidates
      label="Candidates, the likeliest first"
      candidates={candidates.map(({ payment_intent: payment, reason, distance }) => ({
        id: payment,
        name: <CandidateName id={payment} row={payments[payment]} />,
        facts: <CandidateFacts id={payment} row={payments[payment]} />,
        reasons: [reason, `${distance} ${asset_symbol} away from what was asked for`],
        action: mayAttribute ? <AttributeForm transfer={id} payment={payment} /> : null,
      }))}
    />
  );
}

type CandidateRow = { readonly id: string; readonly row: PaymentRow | undefined };

function CandidateName({ id, row }: CandidateRow) {
  const paths = usePaths();
  if (row === undefined) return <PaymentLink id={id} />;
  const { amountMinorUnits: minorUnits, currency, currencyDecimals: decimals } = row;
  return (
    <>
      <a href={paths(`payments/${id}`)}>
        <Money {...{ minorUnits, currency, decimals }} />
      </a>{' '}
      <StatusBadge status={row.status} />
    </>
  );
}

function CandidateFacts({ id, row }: CandidateRow) {
  if (row === undefined) return null;
  return (
    <Definitions
      entries={[
        ['About', about(row)],
        ['Created', <TimeOf key="created" at={row.created} />],
        ['Id', <code key="id">{id}</code>],
      ]}
    />
  );
}

/** Sent to the address of the form below, which tells the reason of a refusal. */
function AttributeForm({ transfer, payment }: { readonly transfer: string; readonly payment: string }) {
  const paths = usePaths();
  return (
    <Confirm
      id={`to-${payment}`}
      action={paths(`transfers/${transfer}/attribute?candidate=${payment}`)}
      button="Attribute"
      isDanger={false}
      text={<p>The transfer counts for this payment from now on. This cannot be undone.</p>}
    >
      <input type="hidden" name="payment_intent" value={payment} />
    </Confirm>
  );
}

function Decisions({ transfer: { id } }: Props) {
  const paths = usePaths();
  const fault = useFault();
  const [mayAttribute, maySetAside] = [useMay('transfer.attribute'), useMay('transfer.set_aside')];
  const [attribute, setAside] = [paths(`transfers/${id}/attribute`), paths(`transfers/${id}/set-aside`)];
  if (!mayAttribute && !maySetAside) return null;
  return (
    <Card title="Or decide yourself" liveId="decisions">
      {mayAttribute && (
        <SignedForm action={attribute}>
          <TextField
            name="payment_intent"
            label="Payment"
            maxLength={40}
            placeholder="pi_…"
            hint="Your word makes the transfer count for this payment, whatever its amount. This cannot be undone."
          />
          <Submit isMain={false}>Attribute to this payment</Submit>
        </SignedForm>
      )}
      {maySetAside && (
        <Confirm
          id="set-aside"
          action={setAside}
          button="Set aside"
          isOpen={fault?.action === setAside}
          text={
            <p>
              The transfer leaves this list and counts for no payment. Nothing is sent by this. Only support brings it
              back.
            </p>
          }
        >
          <ChoiceField name="outcome" label="What became of the money" options={OUTCOMES} />
          <TextAreaField name="note" label="Note" hint="For whoever reads this later." />
        </Confirm>
      )}
    </Card>
  );
}

function Facts({ transfer }: Props) {
  const { reason } = transfer;
  return (
    <Card title="Transfer">
      <Definitions
        entries={[
          ...(reason === null ? [] : [['Why no payment has it', queueReason(reason)] as const]),
          ['Network', networkName(transfer.network_id)],
          ['From', <Address key="from" address={transfer.from} />],
          ['To your wallet', <Address key="to" address={transfer.to} />],
          ['Transaction', <Hash key="hash" hash={transfer.tx_hash} />],
          ['Place in the transaction', String(transfer.log_index)],
          ['Block', String(transfer.block_number)],
          ['Block time', <TimeOf key="at" at={transfer.block_time} as="exact" />],
          ['Id', <code key="id">{transfer.id}</code>],
        ]}
      />
    </Card>
  );
}

function FailedNote() {
  return (
    <Note tone="warn" icon="triangle-alert">
      <p>The payment that it was given to could not take it. Support opens it again.</p>
    </Note>
  );
}

function SetAsideNote({ outcome, note }: NonNullable<UnmatchedTransferResource['set_aside']>) {
  return (
    <Note tone="idle" icon="info">
      <p>
        It was set aside: {BECAME[outcome]}. <q>{note}</q>
      </p>
    </Note>
  );
}
