import { Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { Clock } from '../../../src/kernel/clock';
import { PORTS } from '../../../src/kernel/ports/injection';
import { Administration } from '../../../src/modules/administration/api/administration';
import { proposableAction } from '../../../src/modules/administration/api/admin-actions';
import { ApprovalReader } from '../../../src/modules/administration/api/approval.reader';
import type { ApprovalResource } from '../../../src/modules/administration/api/approvals.contract';
import { NameAdmins, type AdminNames } from '../../../src/modules/admins/api/name-admins.query';
import { DecideAction } from '../../../src/modules/approvals/approval.command';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import type { Administrator } from '../../http/administrator';
import { ConsolePages } from '../../http/console-pages';
import { givenFilters, orFilterFault, placeOf, type Given } from '../../http/given-filters';
import { ConsoleForm, ConsoleRoute } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { peopleFault } from '../../words/people-faults';
import { ApprovalPage, type ApprovalView } from './approval.page';
import { ApprovalsPage, type ApprovalsView } from './approvals.page';

const LABELS = { status: 'Status' };

/** The inbox of actions that need a second administrator. */
@Controller('console/approvals')
export class ConsoleApprovalsController {
  constructor(
    private readonly pages: ConsolePages,
    private readonly approvals: ApprovalReader,
    private readonly administration: Administration,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  @Get()
  @ConsoleRoute('console.read')
  async list(@Query() query: Given, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const view = () => this.listed(givenFilters(query));
    await this.pages.show({ request, reply }, view, shown => h(ApprovalsPage, { view: shown }));
  }

  @Get(':id')
  @ConsoleRoute('console.read')
  async show(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send({ request, reply }, id);
  }

  @Post(':id/approve')
  @ConsoleForm(null, { fields: ['note'], highRisk: 'approval.approve' })
  async approve(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.decide({ request, reply }, 'approve', id, form);
  }

  @Post(':id/deny')
  @ConsoleForm(null, { fields: ['note'] })
  async deny(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.decide({ request, reply }, 'deny', id, form);
  }

  @Post(':id/withdraw')
  @ConsoleForm(null, { fields: ['note'] })
  async withdraw(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.decide({ request, reply }, 'withdraw', id, form);
  }

  /** Sends the approved action with its approval, as its own route does. */
  @Post(':id/carry-out')
  @ConsoleForm(null, { highRisk: 'approval.carry_out' })
  async carryOut(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    const { admin } = visitOf<Administrator>(request).person;
    await this.pages.work(asked, {
      form,
      page: () => this.send(asked, id),
      effect: async ({ context }) => {
        const { permission, target, body } = await this.approvals.actionOf(id).catch(asNotFound);
        const action = proposableAction(permission, target);
        if (!action) throw refuse('unknown_action');
        const sent = { id: target, body: { ...body, approval_id: id } };
        await this.administration.carryOut(action, sent, { admin, context });
        return `approvals/${id}`;
      },
    });
  }

  private async decide(asked: Asked, decision: DecideAction['decision'], id: string, form: FormBody): Promise<void> {
    const { admin } = visitOf<Administrator>(asked.request).person;
    await this.pages.work(asked, {
      form,
      page: () => this.send(asked, id),
      effect: async ({ context }) => {
        await this.commands.execute(new DecideAction(id, decision, form.note ?? '', admin, context));
        return `approvals/${id}`;
      },
    });
  }

  private async approval(id: string): Promise<ApprovalResource> {
    return this.approvals.get(id, this.clock.now()).catch(asNotFound);
  }

  private async send(asked: Asked, id: string): Promise<void> {
    const { admin } = visitOf<Administrator>(asked.request).person;
    const view = async (): Promise<ApprovalView> => {
      const approval = await this.approval(id);
      const { target, proposed_by, decided_by, executed_by } = approval;
      const words = await this.wordsOf(approval, admin);
      const named = words && 'administrator' in words ? words.administrator : undefined;
      const known: AdminNames = named === undefined ? {} : { [target]: named };
      const others = [target, proposed_by, decided_by, executed_by].filter(id => id === null || !(id in known));
      return { approval, words, names: { ...known, ...(await this.queries.execute(new NameAdmins(others))) } };
    };
    await this.pages.show(asked, view, shown => h(ApprovalPage, { view: shown }));
  }

  /** The action in words, as things stand now; the reason, where it can no longer be carried out. */
  private async wordsOf(
    { permission, target, body, status }: ApprovalResource,
    admin: Administrator['admin'],
  ): Promise<ApprovalView['words']> {
    const action = proposableAction(permission, target);
    if (!action || (status !== 'pending' && status !== 'approved')) return null;
    try {
      return await this.administration.preview(action, { id: target, body }, admin);
    } catch (error) {
      if (isRefusal(error, 'permission_denied')) return null;
      if (isRefusal(error)) return { unfit: peopleFault(error) };
      throw error;
    }
  }

  private async listed(given: Given): Promise<ApprovalsView> {
    const status = typeof given.status === 'string' ? given.status : '';
    const nothing = { approvals: [], names: {}, next: null, isFirst: true };
    const found = await orFilterFault(LABELS, nothing, async () => {
      const list = await this.approvals.list(given, this.clock.now());
      const names = await this.queries.execute(
        new NameAdmins(list.data.flatMap(({ target, proposed_by }) => [target, proposed_by])),
      );
      return { approvals: list.data, names, ...placeOf(given, list) };
    });
    return { ...found, status };
  }
}

/** An approval that nobody knows is a page that is not there. */
function asNotFound(error: unknown): never {
  throw isRefusal(error, 'unknown_action') ? refuse('resource_missing') : error;
}
