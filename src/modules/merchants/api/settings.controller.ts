import { Body, Controller, Get, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { ChecksBody, commandContext, CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { getOwn } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { ChangeSettings } from '../commands/change-settings.command';
import { merchantsReadModel, type MerchantDocument } from '../merchants.read-model';
import {
  ChangeSettingsDto,
  changesIn,
  checkChanges,
  SETTINGS_OPERATIONS,
  type SettingsResource,
} from './settings.contract';

@Tagged('Settings')
@Controller('v1/settings')
export class SettingsController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  @Get()
  @RequireScope('settings:read')
  @Documented(SETTINGS_OPERATIONS.get)
  async get(@CurrentCaller() { merchantId }: Caller): Promise<SettingsResource> {
    const account = { merchantId, mode: 'platform' } as const;
    const named = { prefix: 'mch', id: merchantId, notFound: 'merchant_not_found' } as const;
    const { body } = await getOwn(this.readModels, merchantsReadModel, account, named);
    return presentSettings(body);
  }

  @Post()
  @RequireScope('settings:manage')
  @ChecksBody(checkChanges)
  @Documented(SETTINGS_OPERATIONS.change)
  async change(@CurrentCaller() caller: Caller, @Body() body: ChangeSettingsDto): Promise<SettingsResource> {
    // The settings hold for both modes. So they are recorded in the merchant's own stream, above the modes, by the
    // wall's time.
    const { merchantId, receivedAt: now } = caller;
    const context = { ...commandContext(caller, 'merchant'), universe: 'platform', merchantId, now } as const;
    await this.commands.execute(new ChangeSettings(changesIn(body), context));
    return this.get(caller);
  }
}

function presentSettings(merchant: MerchantDocument): SettingsResource {
  const { payment_tolerance_bps, enabled_tokens, brand, default_success_url, api_version } = merchant;
  return { object: 'settings', payment_tolerance_bps, enabled_tokens, brand, default_success_url, api_version };
}
