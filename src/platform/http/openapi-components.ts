import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../docs/api-document';
import { invariant } from '../../kernel/invariant';

/** Collects the schemas that have a name; each is written once and referred to from all other places. */
export class SchemaComponents {
  private readonly found = new Map<string, Schema>();

  get schemas(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.found].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** The schema with a reference for every named schema in it, including itself. */
  refer(schema: Schema): Schema {
    const { title, ...rest } = schema;
    const own = this.referWithin(rest);
    if (typeof title !== 'string') return own;
    const known = this.found.get(title);
    invariant(known === undefined || isDeepStrictEqual(known, own), `two schemas are called ${title}`);
    this.found.set(title, own);
    return { $ref: `#/components/schemas/${title}` };
  }

  private referWithin(schema: Schema): Schema {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.referValue(key, value)]));
  }

  private referValue(key: string, value: unknown): unknown {
    if (key === 'examples' || key === 'enum' || key === 'const' || key === 'required') return value;
    if (key === 'properties') return this.referEach(value as Readonly<Record<string, Schema>>);
    if (Array.isArray(value)) return value.map(each => (isSchema(each) ? this.refer(each) : (each as unknown)));
    return isSchema(value) ? this.refer(value) : value;
  }

  private referEach(properties: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.refer(schema)]));
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
