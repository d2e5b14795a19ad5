import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { ClassConstructor } from 'class-transformer';
import { invariant } from '../../kernel/invariant';

type Argument = { readonly index: number };

const known = new WeakMap<object, ClassConstructor<object> | null>();

/**
 * The class that a handler declares for its `@Body()`, null when it takes none. A type that the compiler erased fails
 * closed.
 */
export function bodyTypeOf(controller: { readonly prototype: object }, handler: { readonly name: string }) {
  let type = known.get(handler);
  if (type === undefined) {
    type = findBodyType(controller, handler.name);
    known.set(handler, type);
  }
  return type;
}

/** Whether a handler reads the query; the handler then judges its parameters itself. */
export function takesQuery(controller: object, handler: { readonly name: string }): boolean {
  return argumentsOf(controller, handler.name).some(([key]) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}

function argumentsOf(controller: object, name: string): readonly (readonly [key: string, argument: Argument])[] {
  return Object.entries((Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, Argument>);
}

function findBodyType(controller: { readonly prototype: object }, name: string): ClassConstructor<object> | null {
  const body = argumentsOf(controller, name).find(([key]) => key.startsWith(`${RouteParamtypes.BODY}:`));
  if (!body) return null;
  const types = Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype, name) as ClassConstructor<object>[];
  const type = types[body[1].index];
  invariant(
    type && (type as unknown) !== Object,
    `the body of ${name} is not declared by a class, or imported as a type`,
  );
  return type;
}
