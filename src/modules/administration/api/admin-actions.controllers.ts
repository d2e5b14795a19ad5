import { Body, Controller, Inject, Param, Post, type Type } from '@nestjs/common';
import { AdminRoute, CurrentAdmin } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import { isFourEyes, type AdminPermission } from '../../../vocabulary/admin-roles';
import type { JsonObject } from '../../../vocabulary/json';
import type { AdminAction } from './admin-action';
import { ADMIN_ACTIONS } from './admin-actions';
import { Administration } from './administration';
import { SentBody } from './sent-body';

type ActionResource = {
  readonly object: 'admin_action';
  readonly permission: AdminPermission;
  readonly target: string;
  /** The id of an object that the action has made; null where it has made none. */
  readonly made: string | null;
};

/** Actions about access, money or the engines ask for a fresh one-time code. */
function isRisky(permission: AdminPermission): boolean {
  return isFourEyes(permission) || permission === 'fee.invoice' || permission === 'system.operate';
}

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
  Inject(Administration)(ActionController, undefined, 0);
  Reflect.defineMetadata('design:paramtypes', [body, Object, Object, String], prototype, 'carryOut');
  Body()(prototype, 'carryOut', 0);
  SentBody()(prototype, 'carryOut', 1);
  CurrentAdmin()(prototype, 'carryOut', 2);
  if (path.includes(':id')) Param('id')(prototype, 'carryOut', 3);
  Post(path)(prototype, 'carryOut', handler);
  AdminRoute({ permission, ...(isRisky(permission) && { highRisk: permission }) })(prototype, 'carryOut', handler);
  return ActionController;
}

/** A controller for each row of the table, so that no route of an administrator's action is written by hand. */
export const ADMIN_ACTION_CONTROLLERS: readonly Type<object>[] = Object.entries(ADMIN_ACTIONS).map(([name, action]) =>
  controllerOf(name, action),
);
