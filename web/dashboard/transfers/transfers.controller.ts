import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { UnmatchedTransferReader } from '../../../src/modules/transfers/api/unmatched-transfer.reader';
import { AttributeTransaction } from '../../../src/modules/transfers/commands/attribute-transaction.command';
import { SetAsideUnmatchedTransfer } from '../../../src/modules/transfers/commands/set-aside-unmatched-transfer.command';
import { SET_ASIDE_OUTCOMES } from '../../../src/modules/transfers/transfer.events';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { refuse } from '../../../src/vocabulary/errors';
import { DashboardPages, type DashboardContexts } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import type { Asked } from '../../http/visits';
import { givenFilters, orFilterFault, placeOf, type Given } from '../../http/given-filters';
import { typedNote } from '../typed-fields';
import { TransferPage } from './transfer.page';
import { TransfersPage, type TransfersView } from './transfers.page';

/** Transfers without a payment, and the decisions on them. */
@Controller('dashboard/:mode/transfers')
export class TransfersController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    private readonly reader: UnmatchedTransferReader,
  ) {}

  @Get()
  @SignedInPage('transfer.read')
  async list(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.pages.show(
      { request, reply },
      () => this.view(person, query),
      view => h(TransfersPage, { view }),
    );
  }

  @Get(':id')
  @SignedInPage('transfer.read')
  async show(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.page({ request, reply }, person, id);
  }

  @Post(':id/attribute')
  @SignedInForm('transfer.attribute', { fields: ['payment_intent'] })
  async attribute(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const payment = (form.payment_intent ?? '').trim();
    await this.work({ request, reply }, person, id, form, contexts => this.give(person, id, payment, contexts));
  }

  @Post(':id/set-aside')
  @SignedInForm('transfer.set_aside', { fields: ['note'], optional: ['outcome'] })
  async setAside(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, person, id, form, async ({ context }) => {
      await this.commands.execute(new SetAsideUnmatchedTransfer(id, decisionOf(form), context));
      return `transfers/${id}`;
    });
  }

  /** The transfer's hash is named for the payment, as its merchant does it over the API. */
  private async give(person: Person, id: string, payment: string, { context }: DashboardContexts): Promise<string> {
    const named = await this.reader.transactionOf(person, id);
    await this.commands.execute(new AttributeTransaction(payment, named, 'merchant', context));
    return `payments/${payment}`;
  }

  private async work(
    asked: Asked,
    person: Person,
    id: string,
    form: FormBody,
    effect: (contexts: DashboardContexts) => Promise<string>,
  ): Promise<void> {
    await this.pages.work(asked, { form, page: () => this.page(asked, person, id), effect });
  }

  private async page(asked: Asked, person: Person, id: string): Promise<void> {
    await this.pages.show(
      asked,
      () => this.reader.getWithPayments(person, id),
      view => h(TransferPage, view),
    );
  }

  private async view(person: Person, query: Given): Promise<TransfersView> {
    const given = givenFilters(query);
    const network = typeof given.network_id === 'string' ? given.network_id : null;
    const nothing = { transfers: [], network, next: null, isFirst: true };
    return orFilterFault({ network_id: 'Network' }, nothing, async () => {
      const list = await this.reader.list(person, given);
      return { transfers: list.data, network, ...placeOf(given, list) };
    });
  }
}

/** Throws Refusal invalid_resolution for another outcome, and for no note. */
function decisionOf({ outcome: asked, note: text }: FormBody) {
  const outcome = SET_ASIDE_OUTCOMES.find(each => each === asked);
  if (outcome === undefined) {
    throw refuse('invalid_resolution', { param: 'outcome', message: 'Say what became of the money.' });
  }
  const note = typedNote(text);
  if (note === '') throw refuse('invalid_resolution', { param: 'note', message: 'Say why, in a note.' });
  return { outcome, note };
}
