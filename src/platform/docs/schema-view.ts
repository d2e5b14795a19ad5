import { resolve, type Components, type Schema } from './api-document';
import { html, table, type Html } from './html';
import { prose } from './page';

const DEPTH_LIMIT = 6;

/** The fields of an object as a table, nested ones folded in below their field. */
export function schemaView(components: Components, schema: Schema, depth = DEPTH_LIMIT): Html {
  const object = objectWithin(components, schema);
  if (!object) return html`<p>${typeOf(components, schema)}</p>`;
  const required = (object.required ?? []) as readonly string[];
  const fields = Object.entries(object.properties as Readonly<Record<string, Schema>>);
  const rows = fields.map(([name, field]) => row(components, name, field, required.includes(name), depth));
  return table(['Field', 'Type', 'What it is'], rows);
}

function row(components: Components, name: string, field: Schema, isRequired: boolean, depth: number): Html {
  const found = resolve(components, field);
  const inner = depth > 0 ? objectWithin(components, field) : null;
  return html`<tr>
    <td><code>${name}</code>${isRequired ? null : html` <small>optional</small>`}</td>
    <td>${typeOf(components, field)}</td>
    <td>
      ${prose((found.description ?? '') as string)}
      ${
        inner &&
        html`<details>
          <summary>Fields</summary>
          ${schemaView(components, inner, depth - 1)}
        </details>`
      }
    </td>
  </tr>`;
}

/** The object that a schema is, may be, or is a list of; null where no such object has fields of its own. */
function objectWithin(components: Components, schema: Schema): Schema | null {
  const found = resolve(components, schema);
  if (found.properties) return found;
  if (found.items) return objectWithin(components, found.items as Schema);
  const choices = (found.oneOf ?? found.allOf ?? []) as readonly Schema[];
  return choices.map(choice => objectWithin(components, choice)).find(inner => inner !== null) ?? null;
}

export function typeOf(components: Components, schema: Schema): string {
  const found = resolve(components, schema);
  if (typeof found.const === 'string') return `"${found.const}"`;
  if (Array.isArray(found.enum)) return found.enum.map(value => (value === null ? 'null' : `"${value}"`)).join(' | ');
  if (Array.isArray(found.oneOf)) return found.oneOf.map((choice: Schema) => typeOf(components, choice)).join(' | ');
  if (Array.isArray(found.allOf)) return 'object';
  if (found.type === 'array') return `list of ${typeOf(components, found.items as Schema)}`;
  return [found.type ?? 'any'].flat().join(' | ');
}
