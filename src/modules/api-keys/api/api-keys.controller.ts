import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { foldedDocument } from '../../../kernel/folded-document';
import type { Document } from '../../../kernel/ports/documents';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import {
  ChecksBody,
  commandContext,
  CurrentCaller,
  HighRisk,
  OneTimeSecret,
  RequireScope,
  type Caller,
} from '../../../platform/http/caller';
import { getOwn, listOwn } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import type { Grantor } from '../api-key.decider';
import { ApiKeyUses } from '../api-key-uses';
import { apiKeysReadModel, type ApiKeyDocument } from '../api-keys.read-model';
import { MintApiKey, type MintedKey } from '../commands/mint-api-key.command';
import { RevokeApiKey } from '../commands/revoke-api-key.command';
import { RotateApiKey } from '../commands/rotate-api-key.command';
import { presentApiKey } from './api-key.presenter';
import {
  API_KEY_OPERATIONS,
  checkEnd,
  MintApiKeyDto,
  type ApiKeyResource,
  type IssuedApiKeyResource,
} from './api-keys.contract';

@Tagged('API keys')
@Controller('v1/api_keys')
export class ApiKeysController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly uses: ApiKeyUses,
  ) {}

  @Post()
  @RequireScope('key:manage')
  @HighRisk('api_key.create')
  @ChecksBody(checkEnd)
  @OneTimeSecret()
  @Documented(API_KEY_OPERATIONS.mint)
  async mint(@CurrentCaller() caller: Caller, @Body() body: MintApiKeyDto): Promise<IssuedApiKeyResource> {
    const { kind, name = null, scopes, expires_at: expiresAt = null } = body;
    const terms = { kind, name, scopes, expiresAt };
    const minted = await this.commands.execute(
      new MintApiKey(terms, grantorOf(caller), commandContext(caller, 'merchant')),
    );
    return this.presentMinted(minted, caller);
  }

  @Get()
  @RequireScope('key:read')
  @Documented(API_KEY_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return listOwn(this.readModels, apiKeysReadModel, caller, query, {
      url: '/v1/api_keys',
      present: key => this.presented(key, caller),
    });
  }

  @Get(':id')
  @RequireScope('key:read')
  @Documented(API_KEY_OPERATIONS.get)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ApiKeyResource> {
    return this.present(id, caller);
  }

  @Post(':id/rotate')
  @RequireScope('key:manage')
  @HighRisk('api_key.rotate')
  @OneTimeSecret()
  @Documented(API_KEY_OPERATIONS.rotate)
  async rotate(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<IssuedApiKeyResource> {
    const command = new RotateApiKey(id, grantorOf(caller), commandContext(caller, 'merchant'));
    return this.presentMinted(await this.commands.execute(command), caller);
  }

  @Post(':id/revoke')
  @RequireScope('key:manage')
  @HighRisk('api_key.revoke')
  @Documented(API_KEY_OPERATIONS.revoke)
  async revoke(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ApiKeyResource> {
    const command = new RevokeApiKey(id, commandContext(caller, 'merchant'), grantorOf(caller));
    const history = await this.commands.execute(command);
    return this.presented(foldedDocument(this.readModels, apiKeysReadModel, id, history), caller);
  }

  private async present(id: string, caller: Caller): Promise<ApiKeyResource> {
    const named = { prefix: 'key', id, notFound: 'resource_missing' } as const;
    return this.presented(await getOwn(this.readModels, apiKeysReadModel, caller, named), caller);
  }

  private async presented(key: Document<ApiKeyDocument>, caller: Caller): Promise<ApiKeyResource> {
    return presentApiKey(key, caller.now, await this.uses.lastUsedAt(key.id));
  }

  private async presentMinted({ keyId, secret }: MintedKey, caller: Caller): Promise<IssuedApiKeyResource> {
    return { ...(await this.present(keyId, caller)), secret };
  }
}

function grantorOf({ scopes, keyEndsAt, withheld }: Caller): Grantor {
  return { scopes, endsAt: keyEndsAt, withheld };
}
