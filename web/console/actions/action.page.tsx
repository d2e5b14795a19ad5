import type { ActionPreview } from '../../../src/modules/administration/api/administration';
import { mayExecute, type AdminPermission } from '../../../src/vocabulary/admin-roles';
import type { JsonObject } from '../../../src/vocabulary/json';
import { Card } from '../../parts/card';
import { Json } from '../../parts/code';
import { useAdministrator } from '../../parts/console-context';
import { ConsolePage } from '../../parts/console-page';
import { Definitions } from '../../parts/definitions';
import { SelectField, TextAreaField, TextField } from '../../parts/fields';
import { FaultNote, Note } from '../../parts/note';
import { useFault, usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import type { ActionField } from './action-fields';
import { actionPath, listOf, objectName, type ActionName } from './action-places';
import { DifferenceList } from './difference-list';
import { fieldLabel, fieldOptions } from './field-words';

/** The facts of an action, whatever its object. */
export type ActionFacts = {
  readonly name: ActionName;
  readonly permission: AdminPermission;
  readonly summary: string;
  readonly fields: readonly ActionField[];
  /** Whether the object stands in the path of the action and not in its body. */
  readonly hasTarget: boolean;
  readonly isFourEyes: boolean;
  /** Whether the action itself takes a one-time code. */
  readonly asksCode: boolean;
  /** The roles that have to approve, in words. */
  readonly approval: string;
};

type Values = Readonly<Record<string, string>>;
type ActionPageProps = { readonly action: ActionFacts; readonly target: string; readonly values: Values };

/** An e-mail address is the longest text of one line. */
const LONG = 254;

/** Asks for whatever the action needs. Nothing happens yet. */
export function ActionPage({ action, target, values }: ActionPageProps) {
  const { name, summary, fields, hasTarget, approval } = action;
  const paths = usePaths();
  const preview = `${paths(actionPath(name))}/preview`;
  const fault = useFault();
  return (
    <ConsolePage title={summary} current={listOf(name)} back={{ path: listOf(name), text: 'Back' }}>
      {fault !== null && fault.action !== preview && <FaultNote text={fault.text} />}
      <Card>
        <p>{approval} The next page says what will happen. Nothing happens before that.</p>
        <SignedForm action={preview}>
          {hasTarget && <TextField name="target" label={objectName(name)} hint="The id" value={target} />}
          {fields.map(field => (
            <BodyField key={field.name} field={field} value={values[field.name]} />
          ))}
          <Submit>Go on</Submit>
        </SignedForm>
      </Card>
    </ConsolePage>
  );
}

function BodyField({ field, value }: { readonly field: ActionField; readonly value: string | undefined }) {
  const { name, hint, isOptional, maxLength, kind } = field;
  const common = { name, label: fieldLabel(name), isOptional, value, ...(hint !== null && { hint }) };
  if (kind === 'choice') return <SelectField {...common} options={fieldOptions(field.values, isOptional)} />;
  if (kind === 'whole') return <TextField {...common} keyboard="numeric" maxLength={15} />;
  if (kind === 'list' || (maxLength ?? 0) > LONG)
    return <TextAreaField {...common} {...(maxLength !== null && { maxLength })} />;
  return <TextField {...common} {...(maxLength !== null && { maxLength })} />;
}

type PreviewPageProps = ActionPageProps & { readonly preview: ActionPreview; readonly body: JsonObject };

/** Says what will happen, to whom, who has to approve, and what cannot be undone. Its button lets it happen. */
export function PreviewPage({ action, target, values, preview, body }: PreviewPageProps) {
  const { name, permission, summary, fields, hasTarget, isFourEyes, asksCode } = action;
  const { role } = useAdministrator();
  const paths = usePaths();
  const { does, to, cannotUndo, approval, difference } = preview;
  return (
    <ConsolePage title={summary} current={listOf(name)} back={{ path: listOf(name), text: 'Back' }}>
      <Card title="What will happen">
        <Definitions
          entries={[
            ['Effect', does],
            ['Concerns', to],
            ['Approval', approval],
            ['Cannot be undone', cannotUndo],
          ]}
        />
        {isFourEyes && !mayExecute(role, permission) && (
          <Note tone="info" icon="info">
            <p>Your role proposes. Another administrator approves this and carries it out.</p>
          </Note>
        )}
        <SignedForm action={paths(actionPath(name))} asksCode={asksCode}>
          {hasTarget && <input type="hidden" name="target" value={target} />}
          {fields.map(field => (
            <input key={field.name} type="hidden" name={field.name} value={values[field.name] ?? ''} />
          ))}
          <Submit isDanger={!isFourEyes}>{isFourEyes ? 'Propose this' : 'Do this now'}</Submit>
        </SignedForm>
      </Card>
      {difference.length > 0 && (
        <Card title="Difference">
          <DifferenceList difference={difference} />
        </Card>
      )}
      <Card title="Exact body">
        <Json label="Body" value={body} />
      </Card>
    </ConsolePage>
  );
}
