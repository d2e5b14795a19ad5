import type { ComponentChildren } from 'preact';
import type { ActionPreview } from '../../../src/modules/administration/api/administration';
import type { ApprovalResource } from '../../../src/modules/administration/api/approvals.contract';
import type { AdminNames } from '../../../src/modules/admins/api/name-admins.query';
import { mayExecute } from '../../../src/vocabulary/admin-roles';
import { ERROR_CATALOGUE } from '../../../src/vocabulary/error-catalogue';
import type { ErrorCode } from '../../../src/vocabulary/errors';
import { REASON } from '../../../src/vocabulary/reasons';
import { Card } from '../../parts/card';
import { Json } from '../../parts/code';
import { Confirm } from '../../parts/confirm';
import { useAdministrator } from '../../parts/console-context';
import { ConsolePage } from '../../parts/console-page';
import { Definitions } from '../../parts/definitions';
import { TextField } from '../../parts/fields';
import { Note } from '../../parts/note';
import { useFaulty, usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';
import { DifferenceList } from '../actions/difference-list';
import { actionText, ApprovalBadge } from './approval-words';

export type ApprovalView = {
  readonly approval: ApprovalResource;
  readonly names: AdminNames;
  /** The action as things stand now; null once it is decided. `unfit` tells why it can no longer be carried out. */
  readonly words: ActionPreview | { readonly unfit: string } | null;
};

/** One proposed action: what it does, its exact body, and the decision on it. */
export function ApprovalPage({ view: { approval, names, words } }: { readonly view: ApprovalView }) {
  return (
    <ConsolePage
      title={actionText(approval)}
      current="approvals"
      back={{ path: 'approvals', text: 'Approvals' }}
      actions={<ApprovalBadge status={approval.status} />}
    >
      <div class="columns">
        <div class="stack">
          {words !== null && <Effect words={words} />}
          <Card title="Difference">
            <DifferenceList difference={approval.difference} />
          </Card>
          <Card title="Exact body">
            <Json label="Body" value={approval.body} />
          </Card>
        </div>
        <div class="stack">
          <Facts approval={approval} names={names} />
          <Decision approval={approval} />
        </div>
      </div>
    </ConsolePage>
  );
}

function Effect({ words }: { readonly words: NonNullable<ApprovalView['words']> }) {
  if ('unfit' in words)
    return (
      <Note tone="warn" icon="triangle-alert">
        <p>As things stand, this would be refused: {words.unfit}</p>
      </Note>
    );
  return (
    <Card title="What will happen">
      <Definitions
        entries={[
          ['Effect', words.does],
          ['Concerns', words.to],
          ['Cannot be undone', words.cannotUndo],
        ]}
      />
    </Card>
  );
}

function Facts({ approval, names }: Pick<ApprovalView, 'approval' | 'names'>) {
  const {
    target,
    permission,
    body_hash: hash,
    proposed_by,
    decided_by,
    executed_by,
    note,
    withdrawal_note,
    refusal,
    status,
  } = approval;
  const nameOf = (id: string) => names[id] ?? id;
  const entries: (readonly [string, ComponentChildren])[] = [
    ['Object', <code>{target}</code>],
    ...(names[target] === undefined ? [] : [['Administrator', names[target]] as const]),
    ['Permission', permission],
    ['Proposed by', nameOf(proposed_by)],
    ['Proposed', <TimeOf at={approval.created} />],
    ...endOf(approval),
  ];
  const decided = status === 'denied' ? 'Denied' : 'Approved';
  if (decided_by !== null) entries.push([`${decided} by`, nameOf(decided_by)]);
  if (approval.decided_at !== null) entries.push([decided, <TimeOf at={approval.decided_at} />]);
  if (note !== null) entries.push(['Note', note]);
  if (withdrawal_note !== null) entries.push(['Note on the withdrawal', withdrawal_note]);
  if (executed_by !== null) entries.push(['Carried out by', nameOf(executed_by)]);
  if (approval.executed_at !== null) entries.push(['Carried out', <TimeOf at={approval.executed_at} />]);
  if (refusal !== null) entries.push(['Last try was refused', ERROR_CATALOGUE[refusal as ErrorCode].title]);
  entries.push(['Digest of the body', <span class="hash">{hash}</span>]);
  return (
    <Card title="Proposal" liveId="proposal" said={status}>
      <Definitions entries={entries} />
    </Card>
  );
}

/** The end of the proposal's time: a proposal that was denied, withdrawn or carried out has ended before. */
function endOf({ status, expires_at: at }: ApprovalResource): readonly (readonly [string, ComponentChildren])[] {
  if (status === 'expired') return [['Ended', <TimeOf at={at} />]];
  return status === 'denied' || status === 'withdrawn' || status === 'executed' ? [] : [['Ends', <TimeOf at={at} />]];
}

/** Each reader sees the steps that are theirs: nobody approves an own proposal. */
function Decision({ approval }: Pick<ApprovalView, 'approval'>) {
  const { status, permission, proposed_by: proposer, decided_by: decider } = approval;
  const { userId, role } = useAdministrator();
  const isRunning = status === 'executing';
  if (status !== 'pending' && status !== 'approved' && !isRunning) return null;
  const isOwn = proposer === userId;
  const mayDecide = !isRunning && !isOwn && mayExecute(role, permission);
  const mayCarryOut = status !== 'pending' && (isOwn || decider === userId) && mayExecute(role, permission);
  return (
    <Card title="Decision" liveId="decision">
      {mayCarryOut && <CarryOut id={approval.id} isRunning={isRunning} />}
      {mayDecide && status === 'pending' && (
        <Step id={approval.id} step="approve" button="Approve" asksCode isMain>
          The proposer or you can then carry it out once, with this very body.
        </Step>
      )}
      {mayDecide && (
        <Step id={approval.id} step="deny" button="Deny">
          The action is not carried out. An administrator can propose it anew.
        </Step>
      )}
      {isOwn && !isRunning && (
        <Step id={approval.id} step="withdraw" button="Withdraw">
          Your proposal ends, and nothing happens.
        </Step>
      )}
      {!mayCarryOut && !mayDecide && <p>{waitingText(status, isOwn)}</p>}
    </Card>
  );
}

function waitingText(status: ApprovalResource['status'], isOwn: boolean): string {
  if (status === 'executing') return 'The proposer or the approver has begun to carry this out.';
  if (status === 'approved')
    return isOwn
      ? 'Your role proposes. The administrator who approved this carries it out.'
      : 'The proposer or the approver carries this out.';
  return isOwn ? 'Another administrator decides.' : 'Your role does not decide this.';
}

type StepProps = {
  readonly id: string;
  readonly step: 'approve' | 'deny' | 'withdraw';
  readonly button: string;
  readonly asksCode?: boolean;
  readonly isMain?: boolean;
  readonly children: ComponentChildren;
};

function Step({ id, step, button, asksCode, isMain, children }: StepProps) {
  const paths = usePaths();
  const isFaulty = useFaulty();
  const action = paths(`approvals/${id}/${step}`);
  return (
    <Confirm id={step} {...{ action, button, asksCode, isMain }} text={<p>{children}</p>} isOpen={isFaulty(action)}>
      <TextField name="note" label="Note" hint="For whoever reads this later" maxLength={REASON.max} />
    </Confirm>
  );
}

function CarryOut({ id, isRunning }: { readonly id: string; readonly isRunning: boolean }) {
  const paths = usePaths();
  const isFaulty = useFaulty();
  const action = paths(`approvals/${id}/carry-out`);
  return (
    <Confirm
      id="carry-out"
      action={action}
      button="Carry out"
      text={
        <p>
          {isRunning
            ? 'An administrator has begun this. If it did not end, you can go on two minutes later. It happens once.'
            : 'What is told on this page happens now, once.'}
        </p>
      }
      isOpen={isFaulty(action)}
      asksCode
      isMain
    />
  );
}
