import { hash } from 'node:crypto';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { AccountContext } from '../../../src/kernel/command-context';
import { OpenKybCase, SubmitKybCase } from '../../../src/modules/kyb/commands/kyb-case.command';
import { AddKybDocument, RemoveKybDocument } from '../../../src/modules/kyb/commands/kyb-documents.command';
import { KYB_DOCUMENT_BYTES } from '../../../src/modules/kyb/kyb-document-facts';
import { GetKybDocument } from '../../../src/modules/kyb/queries/get-kyb-document.query';
import { GetKybStanding } from '../../../src/modules/kyb/queries/get-kyb-standing.query';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { fileOf, SentUpload, type Upload } from '../../../src/platform/http/upload';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import { sendAttachment } from '../../../src/platform/http/attachment';
import { DashboardPages } from '../../http/dashboard-pages';
import { inOwnFields } from '../../http/own-fields';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage, SignedInUpload } from '../../http/signed-in';
import { visitOf, type Asked } from '../../http/visits';
import { NoPage } from '../../page-routes';
import { CASE_FIELDS, caseIn } from './verification-form';
import { VerificationPage } from './verification.page';

const PAGE = 'verification';
const WORDS = { parameter_invalid_integer: 'A share goes from 0.01 to 100 percent, such as 50 or 33.33.' };

@Controller('dashboard/:mode/verification')
export class VerificationController {
  constructor(
    private readonly pages: DashboardPages,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @SignedInPage('kyb.manage')
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send({ request, reply });
  }

  /** Opens a case after a rejection. */
  @Post('open')
  @SignedInForm('kyb.manage')
  async open(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.work({ request, reply }, form, async context => {
      await this.commands.execute(new OpenKybCase(context));
    });
  }

  @Post('documents')
  @SignedInUpload('kyb.manage', { fields: ['kind'], file: 'file', maxBytes: KYB_DOCUMENT_BYTES })
  async add(@SentUpload() upload: Upload, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    // The file makes the form another one, as each field does.
    const { form } = upload;
    const whole = { ...form, file: upload.file === null ? '' : hash('sha256', upload.file.bytes) };
    await this.work({ request, reply }, whole, async context => {
      const document = { kind: form.kind ?? '', ...fileOf(upload) };
      await this.commands.execute(new AddKybDocument(document, context));
    });
  }

  /** The bytes of a document, to be saved. */
  @Get('documents/:id')
  @NoPage()
  @SignedInPage('kyb.manage')
  async save(
    @CurrentPerson() { merchantId }: Person,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAttachment(reply, await this.queries.execute(new GetKybDocument(merchantId, id)));
  }

  @Post('documents/:id/remove')
  @SignedInForm('kyb.manage')
  async remove(
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.work({ request, reply }, form, async context => {
      await this.commands.execute(new RemoveKybDocument(id, context));
    });
  }

  @Post('submit')
  @SignedInForm('kyb.manage', { fields: CASE_FIELDS })
  async submit(@SentForm() form: FormBody, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.work({ request, reply }, form, async context => {
      const { business, owners, fieldOf } = caseIn(form);
      const submit = new SubmitKybCase(business, owners, context);
      await inOwnFields(fieldOf, () => this.commands.execute(submit), WORDS).catch(askForDocument);
    });
  }

  private work(asked: Asked, form: FormBody, effect: (context: AccountContext) => Promise<void>): Promise<void> {
    const { accountContextOf } = visitOf(asked.request).person;
    return this.pages.work(asked, {
      form,
      page: () => this.send(asked),
      effect: async ({ command }) => {
        await effect(accountContextOf(command));
        return PAGE;
      },
    });
  }

  private async send(asked: Asked): Promise<void> {
    const { merchantId } = visitOf(asked.request).person;
    await this.pages.show(
      asked,
      () => this.queries.execute(new GetKybStanding(merchantId)),
      view => h(VerificationPage, { view }),
    );
  }
}

/** The documents are no field that somebody could fill in. */
function askForDocument(error: unknown): never {
  const isWithout = isRefusal(error, 'parameter_missing') && error.param === 'documents';
  if (!isWithout) throw error;
  throw refuse('parameter_invalid', { param: 'documents', message: 'Add at least one document first.' });
}
