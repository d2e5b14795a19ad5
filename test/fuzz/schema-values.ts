import fc from 'fast-check';
import { resolve, type Components, type Schema } from '../../src/platform/docs/api-document';
import { FIELD_HINTS } from './field-hints';
import { hostileKey, hostileValue, type JsonText } from './hostile-values';

type Field = { readonly name: string; readonly schema: Schema; readonly required: boolean };

const DEPTH_LIMIT = 6;
/** Among a hundred objects, those with a fault on purpose; the others may still be refused for their meaning. */
const WRONG_PERCENT = 45;

/** Texts of values as the schema describes them, and of some that it does not. */
export class SchemaValues {
  constructor(private readonly components: Components) {}

  /** An object of the schema, with up to two faults in it. */
  body(schema: Schema): fc.Arbitrary<JsonText> {
    const sound = this.textOf('', schema, 0);
    return fc.oneof(
      { weight: 100 - WRONG_PERCENT, arbitrary: sound },
      { weight: WRONG_PERCENT, arbitrary: this.faulty(schema) },
    );
  }

  textOf(name: string, schema: Schema, depth: number): fc.Arbitrary<JsonText> {
    const resolved = resolve(this.components, schema) as Schema;
    const hint = FIELD_HINTS[name];
    if (hint) return hint.map(value => JSON.stringify(value));
    if (depth > DEPTH_LIMIT) return fc.constant('null');
    const variants = (resolved.oneOf ?? resolved.anyOf) as readonly Schema[] | undefined;
    if (variants) return fc.oneof(...variants.map(variant => this.textOf(name, variant, depth + 1)));
    if (resolved.const !== undefined) return fc.constant(JSON.stringify(resolved.const));
    if (Array.isArray(resolved.enum)) return fc.constantFrom(...resolved.enum.map(value => JSON.stringify(value)));
    const types = [resolved.type ?? 'string'].flat().map(String);
    return fc.oneof(...types.map(type => this.typed(type, resolved, depth)));
  }

  private typed(type: string, schema: Schema, depth: number): fc.Arbitrary<JsonText> {
    switch (type) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return fc
          .array(this.textOf('', (schema.items ?? {}) as Schema, depth + 1), { maxLength: 3 })
          .map(items => `[${items.join(',')}]`);
      case 'integer':
      case 'number':
        return fc.integer({ min: Number(schema.minimum ?? -5), max: Number(schema.maximum ?? 1_000) }).map(String);
      case 'boolean':
        return fc.constantFrom('true', 'false');
      case 'null':
        return fc.constant('null');
      default:
        return fc
          .string({ unit: 'grapheme', maxLength: Math.min(60, Number(schema.maxLength ?? 60)) })
          .map(text => JSON.stringify(text));
    }
  }

  private object(schema: Schema, depth: number): fc.Arbitrary<JsonText> {
    const members = this.fields(schema).map(({ name, schema: of, required }) =>
      fc
        .tuple(this.textOf(name, of, depth + 1), required ? fc.constant(true) : fc.boolean())
        .map(([text, isThere]) => (isThere ? [`${JSON.stringify(name)}:${text}`] : [])),
    );
    return fc.tuple(...members).map(written => `{${written.flat().join(',')}}`);
  }

  /** One field has a value of another object's, is absent, is there twice, or stands beside an unknown one. */
  private faulty(schema: Schema): fc.Arbitrary<JsonText> {
    const fields = this.fields(resolve(this.components, schema) as Schema);
    const pairs = fields.map(({ name, schema: of }) =>
      this.textOf(name, of, 1).map(text => [JSON.stringify(name), text] as const),
    );
    const at = fc.nat(Math.max(0, fields.length - 1));
    const fault = fc.constantFrom('value', 'value', 'value', 'missing', 'unknown', 'twice', 'nested');
    const drawn = fc.tuple(fc.tuple(...pairs), at, fault, hostileValue, hostileKey);
    return drawn.map(([sound, index, kind, value, key]) => {
      const members = sound.map(([name, text]) => `${name}:${text}`);
      const name = sound[index]?.[0] ?? '"x"';
      if (kind === 'value') members[index] = `${name}:${value}`;
      if (kind === 'missing') members.splice(index, 1);
      if (kind === 'unknown') members.push(`${JSON.stringify(key)}:${value}`);
      if (kind === 'twice') members.push(`${name}:${value}`);
      if (kind === 'nested') members[index] = `${name}:{"${'x'}":[${value}]}`;
      return `{${members.join(',')}}`;
    });
  }

  private fields(schema: Schema): readonly Field[] {
    const required = (schema.required ?? []) as readonly string[];
    return Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>).map(([name, of]) => {
      return { name, schema: of, required: required.includes(name) };
    });
  }
}
