import { Controller, Get, Post, Query, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { AdminAction } from '../../../src/modules/administration/api/admin-action';
import { ADMIN_ACTIONS } from '../../../src/modules/administration/api/admin-actions';
import { Administration, approvalText } from '../../../src/modules/administration/api/administration';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { isFourEyes, isRisky } from '../../../src/vocabulary/admin-roles';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import type { Administrator } from '../../http/administrator';
import { ConsolePages } from '../../http/console-pages';
import { ConsoleForm, ConsoleRoute } from '../../http/signed-in';
import { inOwnFields } from '../../http/own-fields';
import { visitOf, type Asked } from '../../http/visits';
import { givenTexts, type Given } from '../../http/given-filters';
import { bodyOf, fieldsOf } from './action-fields';
import { actionPath, objectPageOf, type ActionName } from './action-places';
import { ActionPage, PreviewPage, type ActionFacts } from './action.page';

/** The pages of one row of the table: its form, its preview, and the step itself. */
function controllerOf(name: ActionName, action: AdminAction): Type<object> {
  const { permission, summary, path } = action;
  const fields = fieldsOf(action);
  const hasTarget = path.includes(':id');
  const needsTwo = isFourEyes(permission);
  // A proposal takes no code: the approval does, and so does the step that carries it out.
  const asksCode = isRisky(permission) && !needsTwo;
  const facts: ActionFacts = {
    ...{ name, permission, summary, fields, hasTarget, asksCode },
    isFourEyes: needsTwo,
    approval: approvalText(permission),
  };
  const sent = { fields: [...(hasTarget ? ['target'] : []), ...fields.map(field => field.name)] };

  @Controller(`console/${actionPath(name)}`)
  class ActionPagesController {
    constructor(
      private readonly pages: ConsolePages,
      private readonly administration: Administration,
    ) {}

    @Get()
    @ConsoleRoute(permission)
    async show(@Query() query: Given, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      await this.sendForm({ request, reply }, givenTexts(query));
    }

    @Post('preview')
    @ConsoleForm(permission, sent)
    async preview(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const asked = { request, reply };
      await this.pages.orAgain(
        asked,
        form,
        () => this.sendForm(asked, form),
        () => inOwnFields(own, () => this.sendPreview(asked, form)),
      );
    }

    @Post()
    @ConsoleForm(permission, { ...sent, ...(asksCode && { highRisk: permission }) })
    async carryOut(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
      const asked = { request, reply };
      const { admin } = visitOf<Administrator>(request).person;
      const body = bodyOf(fields, form);
      await this.pages.work(asked, {
        form,
        page: () => this.sendAgain(asked, form),
        effect: ({ context }) =>
          aboveFields(async () => {
            const id = hasTarget ? (form.target ?? '') : null;
            if (!needsTwo) {
              const { target } = await this.administration.carryOut(action, { id, body }, { admin, context });
              return objectPageOf(name, target);
            }
            const target = this.administration.targetOf(action, { id, body });
            return `approvals/${await this.administration.propose({ permission, target, body }, { admin, context })}`;
          }),
      });
    }

    /** The preview once more, with the reason of the refusal; the form, where the object itself has changed. */
    private async sendAgain(asked: Asked, form: FormBody): Promise<void> {
      try {
        await this.sendPreview(asked, form);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        await this.sendForm(asked, form);
      }
    }

    private async sendForm(asked: Asked, { target = '', ...values }: FormBody): Promise<void> {
      await this.pages.send(asked, h(ActionPage, { action: facts, target, values }));
    }

    private async sendPreview(asked: Asked, { target = '', ...values }: FormBody): Promise<void> {
      const { admin } = visitOf<Administrator>(asked.request).person;
      const body = bodyOf(fields, values);
      const preview = await this.administration.preview(action, { id: hasTarget ? target : null, body }, admin);
      await this.pages.send(asked, h(PreviewPage, { action: facts, target, values, preview, body }));
    }
  }
  Object.defineProperty(ActionPagesController, 'name', { value: `${name}PagesController` });
  return ActionPagesController;
}

/** An action's form has the fields of its body. */
const own = (param: string): string => param;

/** The fields of a preview are hidden, so a refusal of one of them stands above the whole. */
async function aboveFields<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error) || error.param === null) throw error;
    throw refuse(error.code, { message: error.message, cause: error });
  }
}

/** The pages of each row of the table, so that no form of an administrator's action is written by hand. */
export const ACTION_PAGES: readonly Type<object>[] = (Object.keys(ADMIN_ACTIONS) as ActionName[]).map(name =>
  controllerOf(name, ADMIN_ACTIONS[name]),
);
