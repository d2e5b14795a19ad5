import { DESCRIPTION_LENGTH } from '../../../src/modules/payment-intents/payment-intent.commands';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { TextAreaField, TextField } from '../../parts/fields';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';

/** A payment that somebody makes by hand, for a customer who gets the address of its checkout. */
export function NewPaymentPage() {
  const paths = usePaths();
  const back = { path: 'payments', text: 'Payments' };
  return (
    <DashboardPage title="New payment" current="payments" back={back}>
      <Card>
        <SignedForm action={paths('payments/new')}>
          <TextField name="amount" label="Amount" keyboard="decimal" maxLength={40} placeholder="25.00" />
          <TextField
            name="currency"
            label="Currency"
            value="EUR"
            maxLength={3}
            hint="Three letters, as ISO 4217 has it."
          />
          <TextField
            name="description"
            label="Description"
            isOptional
            maxLength={DESCRIPTION_LENGTH}
            hint="The customer reads this at checkout."
          />
          <TextAreaField
            name="metadata"
            label="Metadata"
            isOptional
            maxLength={8_000}
            hint="For your own search; one pair a line, such as order=1042. Customers never see it."
          />
          <Submit>Make the payment</Submit>
        </SignedForm>
      </Card>
    </DashboardPage>
  );
}
