import { MAX_KEY_NAME_LENGTH, type Grantor } from '../../../src/modules/api-keys/api-key.decider';
import type { UserRole } from '../../../src/vocabulary/roles';
import { isReadScope } from '../../../src/vocabulary/scopes';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { CheckField, ChoiceField, SelectField, TextField } from '../../parts/fields';
import { FieldGroup } from '../../parts/field-group';
import { Note } from '../../parts/note';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { ROLE_WORDS } from '../people/role-words';
import { Denied } from './denied';
import { KEY_ENDS, KEY_KINDS_IN_WORDS, scopeText } from './key-words';

type NewKeyPageProps = {
  readonly role: UserRole;
  /** The power by which the person makes keys. */
  readonly grantor: Grantor;
};

/** The form of a new key. */
export function NewKeyPage({ role, grantor: { scopes, withheld } }: NewKeyPageProps) {
  const paths = usePaths();
  return (
    <DashboardPage title="New key" current="keys" back={{ path: 'keys', text: 'API keys' }}>
      <Card>
        <SignedForm action={paths('keys/new')} asksCode>
          <TextField name="name" label="Name" hint="Your own name for it." maxLength={MAX_KEY_NAME_LENGTH} isOptional />
          <ChoiceField name="kind" label="Kind" value="sk" options={KEY_KINDS_IN_WORDS} />
          <FieldGroup name="scopes" label="What it may do" hint="Give a key no more than its program needs.">
            {scopes.map(scope => (
              <CheckField key={scope} name={scope} label={scopeText(scope, withheld)} isTicked={isReadScope(scope)} />
            ))}
          </FieldGroup>
          {withheld.length > 0 && (
            <Note tone="info" icon="info">
              <Denied permissions={withheld} because={`your role, ${ROLE_WORDS[role]}, does not allow it`} />
              <p>If your shop needs one of these, ask an owner to make the key.</p>
            </Note>
          )}
          <SelectField name="ends" label="Ends" value="never" options={KEY_ENDS} />
          <Submit>Make the key</Submit>
        </SignedForm>
      </Card>
    </DashboardPage>
  );
}
