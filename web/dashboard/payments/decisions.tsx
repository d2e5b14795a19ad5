import type { PaymentSteps } from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import type { PaymentIntentResource } from '../../../src/modules/payment-intents/queries/payment-intent.answer';
import { takes } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { Card } from '../../parts/card';
import { Confirm } from '../../parts/confirm';
import { useMay } from '../../parts/dashboard-context';
import { TextAreaField, TextField } from '../../parts/fields';
import { Note } from '../../parts/note';
import { useFault, usePaths } from '../../parts/signed-context';
import { HiddenFault, SignedForm, Submit } from '../../parts/signed-form';

type Props = {
  /** The page that the forms stand on, such as `payments/pi_…`; their addresses are below it. */
  readonly path: string;
  readonly reason: 'underpaid' | 'paid_late';
  readonly isHoldOpen: boolean;
};

type Decision = 'accept' | 'reject';

/** The decisions that a payment in review may take. An open hold lets nobody accept. */
export function decisionsOf({ isHoldOpen }: Pick<Props, 'isHoldOpen'>): readonly Decision[] {
  return isHoldOpen ? ['reject'] : ['accept', 'reject'];
}

/** The forms of a review. A late payment is accepted with a note, and an underpaid one with or without. */
export function ReviewForms({ path, reason, isHoldOpen }: Props) {
  const paths = usePaths();
  const fault = useFault();
  const [accept, reject] = [paths(`${path}/accept`), paths(`${path}/reject`)];
  const name = path.split('/').at(-1) ?? '';
  return (
    <div class="decisions">
      {decisionsOf({ isHoldOpen }).includes('accept') && (
        <Confirm
          id={`accept-${name}`}
          action={accept}
          button="Accept as paid"
          isDanger={false}
          isOpen={fault?.action === accept}
          text={
            <p>
              The payment becomes confirmed with what has arrived, and your shop is told to ship. This cannot be undone.
            </p>
          }
        >
          <TextAreaField
            name="note"
            label="Note"
            isOptional={reason === 'underpaid'}
            hint="For whoever reads this later."
          />
        </Confirm>
      )}
      <Confirm
        id={`reject-${name}`}
        action={reject}
        button="Reject"
        isOpen={fault?.action === reject}
        text={
          <p>
            The payment is never confirmed, and takes nothing more. The money stays in your wallet:{' '}
            {isHoldOpen
              ? 'ask support before you return it, because compliance is examining the payer.'
              : 'return it to the customer yourself.'}{' '}
            This cannot be undone.
          </p>
        }
      >
        <TextAreaField name="note" label="Note" hint="For whoever reads this later." />
      </Confirm>
    </div>
  );
}

/** The effect of an open hold, by the state of the payment's review. */
const HELD = {
  none: 'The payment cannot be confirmed until compliance releases the hold. You need not do anything.',
  open: 'The payment cannot be accepted as paid until compliance releases the hold.',
  rejected: 'The payment is rejected. Ask support before you return the money.',
} as const;

/** Says that compliance examines the payer, and what follows for a payment whose review is in that state. */
export function HeldNote({ review }: { readonly review: keyof typeof HELD }) {
  return (
    <Note tone="warn" icon="shield-alert">
      <p>Compliance is examining the payer. {HELD[review]}</p>
    </Note>
  );
}

type ActionsProps = { readonly payment: PaymentIntentResource; readonly steps: PaymentSteps };
type Step = Decision | 'cancel' | 'transaction';

/** The steps that the reader's role may take on the payment as it is now. */
function useSteps({ payment: { status, review, hold }, steps }: ActionsProps): readonly Step[] {
  const mayDecide = useMay('payment.decide') && steps.decides && review !== null;
  const mayCancel = useMay('payment.cancel') && takes(status, 'cancel');
  const mayName = useMay('transfer.attribute') && steps.takesTransfer;
  return [
    ...(mayDecide ? decisionsOf({ isHoldOpen: hold?.status === 'open' }) : []),
    ...(mayCancel ? (['cancel'] as const) : []),
    ...(mayName ? (['transaction'] as const) : []),
  ];
}

/** The reason of a refused step that the payment takes no longer. */
export function RefusedStep(props: ActionsProps) {
  const paths = usePaths();
  const steps = useSteps(props);
  return <HiddenFault drawn={steps.map(step => paths(`payments/${props.payment.id}/${step}`))} />;
}

/** The forms of the steps that may be taken now. */
export function ActionsCard(props: ActionsProps) {
  const { id, review, hold } = props.payment;
  const path = `payments/${id}`;
  const paths = usePaths();
  const fault = useFault();
  const steps = useSteps(props);
  if (steps.length === 0) return null;
  const naming = paths(`${path}/transaction`);
  const cancel = paths(`${path}/cancel`);
  return (
    <Card title="What you can do" liveId="actions">
      {review !== null && steps.includes('reject') && (
        <ReviewForms path={path} reason={review.reason} isHoldOpen={hold?.status === 'open'} />
      )}
      {steps.includes('cancel') && (
        <Confirm
          id="cancel"
          action={cancel}
          button="Cancel the payment"
          isOpen={fault?.action === cancel}
          text={
            <p>
              The customer can no longer pay. Money that comes all the same goes to the unmatched transfers. This cannot
              be undone.
            </p>
          }
        />
      )}
      {steps.includes('transaction') && (
        <details id="naming" open={fault?.action === naming}>
          <summary>A transfer for this payment is missing</summary>
          <SignedForm action={naming}>
            <TextField
              name="tx_hash"
              label="Transaction hash"
              maxLength={300}
              hint="Look at the transfer first: your word makes it count for this payment, whatever its amount. This cannot be undone."
            />
            <TextField
              name="log_index"
              label="Place in the transaction"
              isOptional
              keyboard="numeric"
              maxLength={7}
              hint="A number (the log index), only where one transaction holds several transfers to your wallet."
            />
            <Submit>Attribute to this payment</Submit>
          </SignedForm>
        </details>
      )}
    </Card>
  );
}
