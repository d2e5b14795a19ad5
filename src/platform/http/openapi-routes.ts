import { RequestMethod, type Type } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import type { ClassConstructor } from 'class-transformer';
import { invariant } from '../../kernel/invariant';
import type { Permission } from '../../vocabulary/roles';
import type { Scope } from '../../vocabulary/scopes';
import { METHODS, type Method } from '../docs/api-document';
import { ADMIN_RULE, type AdminRule } from './admin-admission';
import { HIGH_RISK_ACTION, ONE_TIME_SECRET, REQUIRED_PERMISSION, REQUIRED_SCOPE } from './caller';
import { DOCUMENTED, TAGS, WEBHOOKS, type OperationFacts, type WebhookFacts } from './openapi-operation';
import { UNMETERED } from './rate-limit';
import { bodyTypeOf } from './route-body';

const API_PREFIX = '/v1/';
const ADMIN_PREFIX = '/admin/';
const OK = 200;

/** A served route, with the facts of its decorators. */
export type RouteFacts = {
  readonly method: Method;
  /** The path as OpenAPI writes it: `/v1/wallets/{id}`. */
  readonly path: string;
  readonly parameters: readonly string[];
  readonly name: string;
  readonly tags: readonly string[];
  /** Null: any secret or restricted key; undefined: public. */
  readonly scope: Scope | null | undefined;
  /** The permission of roles that a key of the scope can lack. */
  readonly permission: Permission | undefined;
  readonly highRiskAction: string | undefined;
  readonly showsSecret: boolean;
  readonly isMetered: boolean;
  readonly body: ClassConstructor<object> | null;
  readonly facts: OperationFacts | undefined;
  /** The demands on an administrator's session; undefined for a route of others. */
  readonly admin: AdminRule | undefined;
  /** The status of an answer that is no refusal. */
  readonly status: number;
};

/** The routes of the API and the public ones that are documented, as the modules declare them. */
export function routesOf(modules: ModulesContainer): readonly RouteFacts[] {
  return controllersOf(modules)
    .flatMap(routesOfController)
    .filter(({ path, facts, admin }) => path.startsWith(API_PREFIX) || (facts !== undefined && admin === undefined));
}

/** The routes of administrators, as the modules declare them. */
export function adminRoutesOf(modules: ModulesContainer): readonly RouteFacts[] {
  return controllersOf(modules)
    .flatMap(routesOfController)
    .filter(({ path }) => path.startsWith(ADMIN_PREFIX));
}

export function webhooksOf(modules: ModulesContainer): readonly WebhookFacts[] {
  return controllersOf(modules)
    .map(controller => Reflect.getMetadata(WEBHOOKS, controller) as WebhookFacts | undefined)
    .filter(facts => facts !== undefined);
}

function controllersOf(modules: ModulesContainer): readonly Type<object>[] {
  return [...modules.values()].flatMap(module =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type<object>),
  );
}

/** The routes that one controller declares. */
export function routesOfController(controller: Type<object>): readonly RouteFacts[] {
  const prototype = controller.prototype as Record<string, (...args: never[]) => unknown>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap(name => {
    const handler = prototype[name] as (...args: never[]) => unknown;
    const number = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (number === undefined) return [];
    const method = RequestMethod[number].toLowerCase() as Method;
    invariant(METHODS.includes(method), `${controller.name}.${name} answers to ${method}`);
    const read = <T>(key: string | symbol): T | undefined =>
      Reflect.getMetadata(key, Reflect.hasMetadata(key, handler) ? handler : controller) as T | undefined;
    const facts = {
      method,
      name,
      tags: read<readonly string[]>(TAGS) ?? [],
      scope: read<Scope | null>(REQUIRED_SCOPE),
      permission: read<Permission>(REQUIRED_PERMISSION),
      highRiskAction: read<string>(HIGH_RISK_ACTION),
      showsSecret: read<boolean>(ONE_TIME_SECRET) ?? false,
      isMetered: !(read<boolean>(UNMETERED) ?? false),
      body: bodyTypeOf(controller, handler),
      facts: Reflect.getMetadata(DOCUMENTED, handler) as OperationFacts | undefined,
      admin: Reflect.getMetadata(ADMIN_RULE, handler) as AdminRule | undefined,
      status: (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? OK,
    };
    return pathsOf(controller, handler).map(segments => ({
      ...facts,
      path: `/${segments.map(segment => segment.replace(/^:(.*)$/, '{$1}')).join('/')}`,
      parameters: segments.filter(segment => segment.startsWith(':')).map(segment => segment.slice(1)),
    }));
  });
}

/** The parts of each path that a handler answers at. */
function pathsOf(controller: Type<object>, handler: object): readonly (readonly string[])[] {
  const prefix = Reflect.getMetadata(PATH_METADATA, controller) as string;
  const own = Reflect.getMetadata(PATH_METADATA, handler) as string | readonly string[];
  return [own].flat().map(path => `${prefix}/${path}`.split('/').filter(segment => segment !== ''));
}
