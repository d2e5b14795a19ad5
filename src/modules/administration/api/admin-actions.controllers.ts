import { Body, Controller, Inject, Param, Post, type Type } from '@nestjs/common';
import { AdminRoute, CurrentAdmin } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { constant, nullable, oneOfTexts, resource, text, type Answer } from '../../../platform/http/openapi-schema';
import { ADMIN_PERMISSIONS, isFourEyes, isRisky, type AdminPermission } from '../../../vocabulary/admin-roles';
import type { ErrorCode } from '../../../vocabulary/errors';
import type { JsonObject } from '../../../vocabulary/json';
import type { AdminAction } from './admin-action';
import { ADMIN_ACTIONS } from './admin-actions';
import { Administration } from './administration';
import { SentBody } from './sent-body';

const PERMISSIONS = Object.keys(ADMIN_PERMISSIONS) as readonly AdminPermission[];

const ADMIN_ACTION = resource('admin_action', 'An action that was carried out', {
  object: constant('admin_action'),
  permission: oneOfTexts(PERMISSIONS),
  target: text('The object of the action, by its id'),
  made: nullable(text('The id of an object that the action has made; null where it has made none')),
});

type ActionResource = Answer<typeof ADMIN_ACTION>;

/** The refusals of every action of four eyes. */
const FOUR_EYES_REFUSE: readonly ErrorCode[] = [
  'second_approval_required', 'unknown_approval', 'action_not_approved', 'action_not_pending', 'action_expired',
  'action_in_flight', 'executor_not_party', 'role_may_propose_only',
]; // prettier-ignore

/** The route of one row of the table: its path, its permission, and its body by the rules of its class. */
function controllerOf(name: string, action: AdminAction): Type<object> {
  const { path, permission, body } = action;

  class ActionController {
    constructor(private readonly administration: Administration) {}

    async carryOut(_: object, sent: JsonObject, admin: AdmittedAdmin, id?: string): Promise<ActionResource> {
      const { target, made } = await this.administration.carryOut(action, { id: id ?? null, body: sent }, admin);
      return { object: 'admin_action', permission, target, made };
    }
  }

  const { prototype } = ActionController;
  const handler = Object.getOwnPropertyDescriptor(prototype, 'carryOut') as PropertyDescriptor;
  Object.defineProperty(ActionController, 'name', { value: `${name}Controller` });
  Controller('admin')(ActionController);
  Tagged('Actions')(ActionController);
  Inject(Administration)(ActionController, undefined, 0);
  Reflect.defineMetadata('design:paramtypes', [body, Object, Object, String], prototype, 'carryOut');
  Body()(prototype, 'carryOut', 0);
  SentBody()(prototype, 'carryOut', 1);
  CurrentAdmin()(prototype, 'carryOut', 2);
  if (path.includes(':id')) Param('id')(prototype, 'carryOut', 3);
  Post(path)(prototype, 'carryOut', handler);
  const refuses = [...action.refuses, ...(isFourEyes(permission) ? FOUR_EYES_REFUSE : [])];
  Documented({ id: name, summary: action.summary, answer: ADMIN_ACTION, refuses })(prototype, 'carryOut', handler);
  AdminRoute({ permission, ...(isRisky(permission) && { highRisk: permission }) })(prototype, 'carryOut', handler);
  return ActionController;
}

/** A controller for each row of the table, so that no route of an administrator's action is written by hand. */
export const ADMIN_ACTION_CONTROLLERS: readonly Type<object>[] = Object.entries(ADMIN_ACTIONS).map(([name, action]) =>
  controllerOf(name, action),
);
