import type { Components, Schema } from '../../../src/platform/docs/api-document';
import { fieldsOf, typeOf } from '../../../src/platform/docs/schema-fields';
import { Prose } from '../../parts/prose';

const DEPTH_LIMIT = 6;

type FieldsProps = { readonly components: Components; readonly schema: Schema; readonly depth?: number };

/** The fields of an object; nested ones are folded in below their field. */
export function Fields({ components, schema, depth = DEPTH_LIMIT }: FieldsProps) {
  const fields = fieldsOf(components, schema);
  if (!fields) return <p>{typeOf(components, schema)}</p>;
  return (
    <ul class="fields">
      {fields.map(({ name, type, description, isRequired, inner }) => (
        <li key={name}>
          <FieldName name={name} type={type} isRequired={isRequired} />
          {description !== '' && (
            <p>
              <Prose text={description} />
            </p>
          )}
          {depth > 0 && inner && (
            <details>
              <summary>
                Fields of <code>{name}</code>
              </summary>
              <Fields components={components} schema={inner} depth={depth - 1} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

type FieldNameProps = { readonly name: string; readonly type: string; readonly isRequired: boolean };

export function FieldName({ name, type, isRequired }: FieldNameProps) {
  return (
    <p class="field-name">
      <code>{name}</code> <span class="type">{type}</span>
      {!isRequired && <span class="type">optional</span>}
    </p>
  );
}
