import { Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { DAY_MS, isoTime } from '../../../src/kernel/clock';
import type { Document } from '../../../src/kernel/ports/documents';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { presentApiKey } from '../../../src/modules/api-keys/api/api-key.presenter';
import type { ApiKeyResource } from '../../../src/modules/api-keys/api/api-keys.contract';
import { ApiKeyUses } from '../../../src/modules/api-keys/api-key-uses';
import { apiKeysReadModel, type ApiKeyDocument } from '../../../src/modules/api-keys/api-keys.read-model';
import { MintApiKey } from '../../../src/modules/api-keys/commands/mint-api-key.command';
import { RevokeApiKey } from '../../../src/modules/api-keys/commands/revoke-api-key.command';
import { RotateApiKey } from '../../../src/modules/api-keys/commands/rotate-api-key.command';
import { roleGrants } from '../../../src/modules/api-keys/role-grants';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { SentForm, type FormBody } from '../../../src/platform/http/form-body';
import { checkOwn, getOwn, listOwn } from '../../../src/platform/http/lists';
import { refuse } from '../../../src/vocabulary/errors';
import { SCOPES } from '../../../src/vocabulary/scopes';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInForm, SignedInPage } from '../../http/signed-in';
import type { Asked } from '../../http/visits';
import { placeOf, type Given } from '../../http/given-filters';
import { KEY_ENDS } from './key-words';
import { KeyPage } from './key.page';
import { KeysPage } from './keys.page';
import { MintedKeyPage } from './minted-key.page';
import { NewKeyPage } from './new-key.page';

/** The API keys of an account, by the same commands as its keys use. */
@Controller('dashboard/:mode/keys')
export class KeysController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly uses: ApiKeyUses,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @SignedInPage('key.read')
  async list(
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const view = async () => {
      const list = await listOwn(this.readModels, apiKeysReadModel, person, query, {
        url: '',
        present: key => this.presented(key, person),
      });
      return { keys: list.data, ...placeOf(query, list) };
    };
    await this.pages.show({ request, reply }, view, shown => h(KeysPage, shown));
  }

  @Get('new')
  @SignedInPage('key.manage')
  async draft(@CurrentPerson() person: Person, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.sendDraft(person, { request, reply });
  }

  @Post('new')
  @SignedInForm('key.manage', {
    fields: ['kind', 'name', 'ends'],
    optional: SCOPES,
    highRisk: 'api_key.create',
  })
  async mint(
    @CurrentPerson() person: Person,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await this.pages.reveal(asked, {
      form,
      page: () => this.sendDraft(person, asked),
      effect: async ({ context }) => {
        const terms = {
          kind: form.kind ?? '',
          name: form.name?.trim() || null,
          scopes: SCOPES.filter(scope => scope in form),
          expiresAt: endOf(form, person.nowMs),
        };
        const minted = await this.commands.execute(new MintApiKey(terms, roleGrants(person.role), context));
        return h(MintedKeyPage, { ...minted, rotated: null });
      },
    });
  }

  @Get(':id')
  @SignedInPage('key.read')
  async show(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sendKey(person, id, { request, reply });
  }

  @Post(':id/rotate')
  @SignedInForm('key.manage', { highRisk: 'api_key.rotate' })
  async rotate(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await checkOwn(this.readModels, apiKeysReadModel, person, namedBy(id));
    await this.pages.reveal(asked, {
      form,
      page: () => this.sendKey(person, id, asked),
      effect: async ({ context }) => {
        const minted = await this.commands.execute(new RotateApiKey(id, roleGrants(person.role), context));
        return h(MintedKeyPage, { ...minted, rotated: id });
      },
    });
  }

  @Post(':id/revoke')
  @SignedInForm('key.manage', { highRisk: 'api_key.revoke' })
  async revoke(
    @CurrentPerson() person: Person,
    @Param('id') id: string,
    @SentForm() form: FormBody,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { request, reply };
    await checkOwn(this.readModels, apiKeysReadModel, person, namedBy(id));
    await this.pages.work(asked, {
      form,
      page: () => this.sendKey(person, id, asked),
      effect: async ({ context }) => {
        await this.commands.execute(new RevokeApiKey(id, context, roleGrants(person.role)));
        return `keys/${id}`;
      },
    });
  }

  private async sendDraft({ role }: Person, asked: Asked): Promise<void> {
    await this.pages.send(asked, h(NewKeyPage, { role, grantor: roleGrants(role) }));
  }

  private async sendKey(person: Person, id: string, asked: Asked): Promise<void> {
    await this.pages.show(
      asked,
      () => this.own(person, id),
      key => h(KeyPage, { apiKey: key, grantor: roleGrants(person.role) }),
    );
  }

  private async own(person: Person, id: string): Promise<ApiKeyResource> {
    return this.presented(await getOwn(this.readModels, apiKeysReadModel, person, namedBy(id)), person);
  }

  private async presented(key: Document<ApiKeyDocument>, { nowMs }: Person): Promise<ApiKeyResource> {
    return presentApiKey(key, nowMs, await this.uses.lastUsedAt(key.id));
  }
}

function namedBy(id: string) {
  return { prefix: 'key', id, notFound: 'resource_missing' } as const;
}

/** Null for a key without an end. Throws Refusal parameter_invalid for a time that the form does not offer. */
function endOf({ ends = '' }: FormBody, nowMs: number): string | null {
  const chosen = KEY_ENDS.find(({ value }) => value === ends);
  if (chosen === undefined) throw refuse('parameter_invalid', { param: 'ends' });
  return chosen.days === null ? null : isoTime(nowMs + chosen.days * DAY_MS);
}
