import { MAX_KEY_NAME_LENGTH } from '../../../src/modules/api-keys/api-key.decider';
import { isReadScope, type Scope } from '../../../src/vocabulary/scopes';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { usePaths } from '../../parts/dashboard-path';
import { CheckField, ChoiceField, SelectField, TextField } from '../../parts/fields';
import { FieldGroup } from '../../parts/field-group';
import { SignedForm, Submit } from '../../parts/signed-form';
import { KEY_ENDS, KEY_KINDS_IN_WORDS, SCOPE_WORDS } from './key-words';

type NewKeyPageProps = {
  /** The scopes that the person can give. */
  readonly grantable: readonly Scope[];
};

/** The form of a new key. */
export function NewKeyPage({ grantable }: NewKeyPageProps) {
  const paths = usePaths();
  return (
    <DashboardPage title="New key" current="keys" back={{ path: 'keys', text: 'API keys' }}>
      <Card>
        <SignedForm action={paths('keys/new')} asksCode>
          <TextField name="name" label="Name" hint="Your own name for it." maxLength={MAX_KEY_NAME_LENGTH} isOptional />
          <ChoiceField name="kind" label="Kind" value="sk" options={KEY_KINDS_IN_WORDS} />
          <FieldGroup name="scopes" label="What it may do" hint="Give a key no more than its program needs.">
            {grantable.map(scope => (
              <CheckField key={scope} name={scope} label={SCOPE_WORDS[scope]} isTicked={isReadScope(scope)} />
            ))}
          </FieldGroup>
          <SelectField name="ends" label="Ends" value="never" options={KEY_ENDS} />
          <Submit>Mint the key</Submit>
        </SignedForm>
      </Card>
    </DashboardPage>
  );
}
