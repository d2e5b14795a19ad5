import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { Schema } from '../docs/api-document';

const CLASS_SUFFIX = /Dto$/;
const COMPONENTS = '#/components/schemas/';

/** The bodies' classes as schemas, by the component's name, read from their own decorators. */
export function requestSchemas(app: INestApplication): Readonly<Record<string, Schema>> {
  const { components } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  const schemas = Object.entries(components?.schemas ?? {});
  return Object.fromEntries(schemas.map(([name, schema]) => [requestName(name), closed(schema as Schema)]));
}

export function requestName(className: string): string {
  return className
    .replace(CLASS_SUFFIX, '')
    .replace(/[A-Z]/g, (letter, at: number) => `${at > 0 ? '_' : ''}${letter.toLowerCase()}`)
    .concat('_request');
}

/** A body's class: what it does not name is refused. */
function closed(schema: Schema): Schema {
  return { ...(inDialect(schema) as Schema), additionalProperties: false };
}

/** From the dialect of OpenAPI 3.0, which the decorators write, to that of 3.1. */
function inDialect(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDialect);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, example, ...rest } = value as Schema;
  const schema: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(rest)) {
    schema[key] =
      key === '$ref' ? `${COMPONENTS}${requestName(String(member).split('/').at(-1) ?? '')}` : inDialect(member);
  }
  if (example !== undefined) schema.examples = [example];
  return nullable === true ? orNull(schema) : schema;
}

function orNull(schema: Readonly<Record<string, unknown>>): Schema {
  if (typeof schema.type !== 'string') return { oneOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
  };
}
