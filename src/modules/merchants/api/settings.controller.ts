import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ChecksBody, commandContext, CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { ChangeSettings } from '../commands/change-settings.command';
import type { MerchantDocument } from '../merchants.read-model';
import { GetMerchant } from '../queries/get-merchant.query';
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
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @RequireScope('settings:read')
  @Documented(SETTINGS_OPERATIONS.get)
  async get(@CurrentCaller() caller: Caller): Promise<SettingsResource> {
    return presentSettings(await this.queries.execute(new GetMerchant(caller.merchantId)));
  }

  @Post()
  @RequireScope('settings:manage')
  @ChecksBody(checkChanges)
  @Documented(SETTINGS_OPERATIONS.change)
  async change(@CurrentCaller() caller: Caller, @Body() body: ChangeSettingsDto): Promise<SettingsResource> {
    // They hold for both modes, so the merchant's own stream, above the modes, is what records them, by the wall's
    // time.
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
