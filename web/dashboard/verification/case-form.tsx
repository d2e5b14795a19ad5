import { MAX_NUMBER_LENGTH, MAX_URL_LENGTH } from '../../../src/modules/kyb/kyb-facts';
import { Card } from '../../parts/card';
import { FieldGroup } from '../../parts/field-group';
import { SelectField, TextAreaField, TextField } from '../../parts/fields';
import { useFault, usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { COUNTRY_OPTIONS } from '../../words/countries';
import { OWNER_ROWS, ownerField } from './verification-fields';

/** Owners whose rows are seen at once; further rows unfold. */
const SHOWN_ROWS = 2;
const COUNTRIES = [{ value: '', text: 'Choose a country' }, ...COUNTRY_OPTIONS];

/** The form of the business and its owners, which hands the case in. */
export function CaseForm({ documentCount }: { readonly documentCount: number }) {
  const paths = usePaths();
  const action = paths('verification/submit');
  return (
    <Card title="Business and owners">
      <SignedForm action={action}>
        <FieldGroup name="documents" label="Documents" hint={documentsText(documentCount)}>
          {null}
        </FieldGroup>
        <TextField name="business[legal_name]" label="Registered name" autocomplete="organization" />
        <SelectField name="business[country]" label="Country of registration" options={COUNTRIES} />
        <TextField name="business[registration_number]" label="Registration number" maxLength={MAX_NUMBER_LENGTH} />
        <TextAreaField name="business[address]" label="Registered address" />
        <TextField
          name="business[website]"
          label="Website"
          type="url"
          maxLength={MAX_URL_LENGTH}
          placeholder="https://"
          isOptional
        />
        <Owners action={action} />
        <p>Nothing of the case can be changed after you submit it, until it is decided.</p>
        <Submit>Submit for review</Submit>
      </SignedForm>
    </Card>
  );
}

function documentsText(count: number): string {
  if (count === 0) return 'None yet. Add at least one document above before you submit.';
  return count === 1 ? 'One document goes along.' : `${count} documents go along.`;
}

function Owners({ action }: { readonly action: string }) {
  const fault = useFault();
  const typed = fault?.action === action ? fault.typed : {};
  const later = OWNER_ROWS.slice(SHOWN_ROWS);
  const isUsed = later.some(
    row => (typed[ownerField(row, 'name')] ?? typed[ownerField(row, 'share_bps')] ?? '') !== '',
  );
  return (
    <FieldGroup
      name="owners"
      label="Owners"
      hint="Everybody who owns a tenth of the business or more. Leave rows empty that you do not need."
    >
      <div class="owners">
        {OWNER_ROWS.slice(0, SHOWN_ROWS).map(row => (
          <Owner key={row} row={row} />
        ))}
        <details open={isUsed} id="more-owners">
          <summary>More owners</summary>
          <div class="owners">
            {later.map(row => (
              <Owner key={row} row={row} />
            ))}
          </div>
        </details>
      </div>
    </FieldGroup>
  );
}

function Owner({ row }: { readonly row: number }) {
  const isOptional = row > 0;
  return (
    <fieldset class="owner">
      <legend>
        Owner {row + 1}
        {isOptional && <span class="optional"> (optional)</span>}
      </legend>
      <TextField name={ownerField(row, 'name')} label="Name" {...{ isOptional }} />
      <SelectField name={ownerField(row, 'country')} label="Country" options={COUNTRIES} {...{ isOptional }} />
      <TextField
        name={ownerField(row, 'share_bps')}
        label="Share in percent"
        keyboard="decimal"
        maxLength={6}
        {...{ isOptional }}
      />
    </fieldset>
  );
}
