import type { KybStanding, ShownKybCase } from '../../../src/modules/kyb/queries/get-kyb-standing.query';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { Empty } from '../../parts/list-parts';
import { Note } from '../../parts/note';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { Badge, type Tone } from '../../parts/status-badge';
import { StepList } from '../../parts/step-list';
import { CaseFacts } from './case-facts';
import { CaseForm } from './case-form';
import { CaseDocuments } from './case-documents';

const STATES: Readonly<Record<ShownKybCase['status'], { readonly tone: Tone; readonly text: string }>> = {
  open: { tone: 'warn', text: 'To be filled in' },
  submitted: { tone: 'info', text: 'Under review' },
  approved: { tone: 'ok', text: 'Verified' },
  rejected: { tone: 'bad', text: 'Rejected' },
};

/** The verification of the business, which live mode waits for. */
export function VerificationPage({ view: { current, rejected } }: { readonly view: KybStanding }) {
  const shown = current ?? rejected;
  return (
    <DashboardPage
      title="Verification"
      current="verification"
      actions={shown === null ? undefined : <Badge {...STATES[shown.status]} />}
    >
      {shown === null && (
        <Empty icon="shield-check" title="This account needs no verification">
          <p>The operator of this service has opened it. Live mode does not wait for anything here.</p>
        </Empty>
      )}
      {rejected && <Rejection rejected={rejected} isOver={current === null} />}
      {current && <Current current={current} />}
    </DashboardPage>
  );
}

function Rejection({ rejected: { note }, isOver }: { readonly rejected: ShownKybCase; readonly isOver: boolean }) {
  const paths = usePaths();
  return (
    <>
      <Note tone="bad" icon="circle-x">
        <p>
          <strong>The last verification was rejected.</strong>
        </p>
        <p class="note-text">{note}</p>
      </Note>
      {isOver && (
        <Card title="Try again">
          <p>Another case begins empty: you fill it in and add documents anew.</p>
          <SignedForm action={paths('verification/open')}>
            <Submit>Open another case</Submit>
          </SignedForm>
        </Card>
      )}
    </>
  );
}

function Current({ current }: { readonly current: ShownKybCase }) {
  const { status, documents, note } = current;
  const hasDocuments = documents.length > 0;
  if (status === 'open')
    return (
      <>
        <Card title="Three steps to live payments">
          <StepList
            label="Steps"
            steps={[
              { title: 'Add documents', state: hasDocuments ? 'done' : 'now' },
              { title: 'Name the business and its owners, and submit', state: hasDocuments ? 'now' : 'later' },
              {
                title: 'The operator reviews them',
                state: 'later',
                children: (
                  <p>Live mode takes payments as soon as the case is approved. Test mode works all the time.</p>
                ),
              },
            ]}
          />
        </Card>
        <CaseDocuments documents={documents} isOpen />
        <CaseForm documentCount={documents.length} />
      </>
    );
  return (
    <>
      {status === 'submitted' && (
        <Note tone="info" icon="clock">
          <p>The operator of this service reviews your case. Nothing of it can be changed meanwhile.</p>
        </Note>
      )}
      {status === 'approved' && (
        <Note tone="idle" icon="shield-check">
          <p>Your business is verified, and live mode takes payments.</p>
          {note !== null && <p class="note-text">{note}</p>}
        </Note>
      )}
      <CaseFacts current={current} />
      <CaseDocuments documents={documents} isOpen={false} />
    </>
  );
}
