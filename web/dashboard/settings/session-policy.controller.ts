import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { SetSessionPolicy } from '../../../src/modules/sessions/commands/set-session-policy.command';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { SessionPolicyPage } from './session-policy.page';

const PAGE = 'settings/session-policy';
const WHOLE = /^\d{1,4}$/;

@Controller('dashboard/:mode/settings/session-policy')
export class SessionPolicyController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  @SignedInPage('session_policy.manage')
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send({ request, reply });
  }

  @Post()
  @SignedInForm('session_policy.manage', {
    fields: ['idle_minutes', 'absolute_minutes'],
    optional: ['pin_ip'],
    highRisk: 'session_policy.set',
  })
  async change(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await this.pages.work(asked, {
      form,
      page: () => this.send(asked),
      effect: async ({ command }) => {
        const policy = {
          idle_minutes: minutesIn(form.idle_minutes),
          absolute_minutes: minutesIn(form.absolute_minutes),
          pin_ip: form.pin_ip !== undefined,
        };
        await this.commands.execute(new SetSessionPolicy(policy, person.accountContextOf(command)));
        return PAGE;
      },
    });
  }

  private async send(asked: Asked): Promise<void> {
    const { policy } = visitOf(asked.request).person;
    await this.pages.send(asked, h(SessionPolicyPage, { policy }));
  }
}

/** No number for any other text, which the policy refuses. */
function minutesIn(text = ''): number {
  return WHOLE.test(text.trim()) ? Number(text) : NaN;
}
