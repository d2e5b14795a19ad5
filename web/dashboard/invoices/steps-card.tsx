import type { InvoiceResource } from '../../../src/modules/invoices/api/invoices.contract';
import type { Status } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { Card } from '../../parts/card';
import { Confirm } from '../../parts/confirm';
import { useDashboard } from '../../parts/dashboard-context';
import { useFault, usePaths } from '../../parts/signed-context';
import { HiddenFault } from '../../parts/signed-form';
import type { OpenedPayment } from '../opened-payments';

type Props = { readonly invoice: InvoiceResource; readonly payments: readonly OpenedPayment[] };
type Step = 'issue' | 'send' | 'void';

/** A payment that ended unpaid leaves room for another one. */
const ENDED: readonly Status[] = ['expired', 'failed', 'canceled'];

/** The steps that an invoice allows now. The command has the last word: money may come meanwhile. */
function stepsOf({ invoice: { status }, payments: [newest] }: Props): readonly Step[] {
  if (status === 'void') return [];
  if (status === 'paid') return ['send'];
  if (status === 'draft') return ['issue', 'void'];
  const isEnded = newest === undefined || ENDED.includes(newest.status);
  return isEnded ? ['issue', 'send', 'void'] : ['send', 'void'];
}

/** The reason of a refused step that the invoice allows no longer, so that its form is gone. */
export function RefusedStep(props: Props) {
  const paths = usePaths();
  return <HiddenFault drawn={stepsOf(props).map(step => paths(`invoices/${props.invoice.id}/${step}`))} />;
}

/** The forms of the steps that an invoice allows now. */
export function StepsCard(props: Props) {
  const { invoice } = props;
  const steps = stepsOf(props);
  if (steps.length === 0) return null;
  const { email = null } = invoice.customer ?? {};
  return (
    <Card title="Next steps" liveId="steps">
      {steps.includes('issue') &&
        (invoice.status === 'draft' ? <Issue invoice={invoice} email={email} /> : <IssueAgain invoice={invoice} />)}
      {steps.includes('send') && <Send invoice={invoice} email={email} />}
      {steps.includes('void') && <Void invoice={invoice} />}
    </Card>
  );
}

type StepProps = Pick<Props, 'invoice'> & { readonly email?: string | null };

function Issue({ invoice, email }: StepProps) {
  return (
    <Confirm
      {...useStep(invoice, 'issue')}
      button="Issue"
      isMain
      text={
        <p>
          The invoice’s page opens, and a payment is made for it.
          {email !== null && ` The invoice is mailed to ${email}.`} An issued invoice is never a draft again.
        </p>
      }
    />
  );
}

function IssueAgain({ invoice }: StepProps) {
  return (
    <Confirm
      {...useStep(invoice, 'issue')}
      button="Make another payment"
      isMain
      text={
        <p>The last payment ended unpaid. Another one is made at the rates of the moment; the page stays the same.</p>
      }
    />
  );
}

function Send({ invoice, email }: StepProps) {
  const { mode } = useDashboard();
  const step = useStep(invoice, 'send');
  if (email === null) return <p>The invoice names no e-mail address: give the customer the address of its page.</p>;
  return (
    <Confirm
      {...step}
      button="Send by mail"
      isDanger={false}
      text={
        <p>
          {mode === 'test'
            ? `In test mode, the mail goes to your account’s own address instead of ${email}.`
            : `A mail with the invoice goes to ${email}.`}{' '}
          A mail cannot be called back.
        </p>
      }
    />
  );
}

function Void({ invoice }: StepProps) {
  return (
    <Confirm
      {...useStep(invoice, 'void')}
      button="Void"
      text={
        <p>
          Nobody can pay the invoice any more, and a payment that waits is canceled. The number {invoice.number} stays
          taken. This cannot be undone.
        </p>
      }
    />
  );
}

/** The address of a step, open where its form was refused. */
function useStep(invoice: InvoiceResource, step: Step) {
  const paths = usePaths();
  const fault = useFault();
  const action = paths(`invoices/${invoice.id}/${step}`);
  return { id: step, action, isOpen: fault?.action === action };
}
