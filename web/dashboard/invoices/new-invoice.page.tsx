import { MAX_EMAIL_LENGTH } from '../../../src/modules/users/registration';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { SelectField, TextAreaField, TextField } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { LANGUAGE_OPTIONS } from '../../words/language-names';
import { lineField, LINES_LIMIT } from './typed-invoice';

type NewInvoiceProps = {
  /** The fields as they were typed, where the form comes again with another line. */
  readonly typed: Readonly<Record<string, string>>;
  readonly lines: number;
};

const BACK = { path: 'invoices', text: 'Invoices' } as const;

/** An invoice that somebody drafts. */
export function NewInvoicePage({ typed, lines }: NewInvoiceProps) {
  const paths = usePaths();
  return (
    <DashboardPage title="New invoice" current="invoices" back={BACK}>
      <Card>
        <SignedForm action={paths('invoices/new')}>
          <Customer typed={typed} />
          <Lines typed={typed} lines={lines} />
          <Terms typed={typed} />
          <p>The draft takes the next number. A draft never changes: to correct it, void it and draft anew.</p>
          <Submit>Draft the invoice</Submit>
        </SignedForm>
      </Card>
    </DashboardPage>
  );
}

function Customer({ typed }: Pick<NewInvoiceProps, 'typed'>) {
  return (
    <>
      <TextField
        name="currency"
        label="Currency"
        maxLength={3}
        hint="Three letters, as ISO 4217 has it."
        value={typed.currency ?? 'EUR'}
      />
      <TextField name="customer_name" label="Customer" isOptional value={typed.customer_name} />
      <TextField
        name="customer_email"
        type="email"
        label="E-mail address of the customer"
        isOptional
        maxLength={MAX_EMAIL_LENGTH}
        hint="The invoice and its reminders are mailed there."
        value={typed.customer_email}
      />
      <SelectField
        name="language"
        label="Language of the mails"
        isOptional
        options={[{ value: '', text: 'As in the settings' }, ...LANGUAGE_OPTIONS]}
        value={typed.language}
      />
      <TextField
        name="description"
        label="Subject"
        isOptional
        hint="The customer reads this at checkout too."
        value={typed.description}
      />
    </>
  );
}

function Lines({ typed, lines }: NewInvoiceProps) {
  const paths = usePaths();
  return (
    <div class="lines">
      <p>A line needs a description and a price. Lines that are left empty are left out.</p>
      {Array.from({ length: lines }, (_, index) => (
        <Line key={index} number={index + 1} typed={typed} />
      ))}
      {lines < LINES_LIMIT && (
        <div>
          <button type="submit" class="button" formAction={paths('invoices/new/lines')} formNoValidate>
            <Icon name="plus" />
            Add a line
          </button>
        </div>
      )}
    </div>
  );
}

type LineProps = { readonly number: number } & Pick<NewInvoiceProps, 'typed'>;

function Line({ number, typed }: LineProps) {
  const field = (part: Parameters<typeof lineField>[1]) => {
    const name = lineField(number, part);
    return { name, value: typed[name] };
  };
  const amount = { keyboard: 'decimal', maxLength: 40 } as const;
  const isOptional = number > 1;
  return (
    <fieldset class="line-fields">
      <legend>Line {number}</legend>
      <TextField {...field('description')} label="Description" {...{ isOptional }} />
      <TextField {...field('quantity')} label="Quantity" isOptional keyboard="numeric" maxLength={15} placeholder="1" />
      <TextField {...field('price')} {...amount} label="Unit price" {...{ isOptional }} placeholder="12.50" />
      <TextField {...field('discount')} {...amount} label="Discount in %" isOptional placeholder="0" />
      <TextField {...field('tax')} {...amount} label="Tax in %" isOptional placeholder="0" />
    </fieldset>
  );
}

function Terms({ typed }: Pick<NewInvoiceProps, 'typed'>) {
  return (
    <>
      <TextField name="due_at" type="date" label="Due" isOptional value={typed.due_at} />
      <TextAreaField
        name="notes"
        label="Notes"
        isOptional
        maxLength={2_000}
        hint="Stand below the lines."
        value={typed.notes}
      />
      <TextAreaField
        name="metadata"
        label="Metadata"
        isOptional
        maxLength={8_000}
        hint="For your own search; one pair a line, such as order=1042. Customers never see it."
        value={typed.metadata}
      />
    </>
  );
}
