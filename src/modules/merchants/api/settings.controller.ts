import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChecksBody, commandContext, CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { ChangeSettings } from '../commands/change-settings.command';
import type { SettingsFacts } from '../../../vocabulary/settings-facts';
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
  constructor(private readonly commands: CommandBus) {}

  @Get()
  @RequireScope('settings:read')
  @Documented(SETTINGS_OPERATIONS.get)
  get(@CurrentCaller() { settings }: Caller): SettingsResource {
    return presentSettings(settings);
  }

  @Post()
  @RequireScope('settings:manage')
  @ChecksBody(checkChanges)
  @Documented(SETTINGS_OPERATIONS.change)
  async change(@CurrentCaller() caller: Caller, @Body() body: ChangeSettingsDto): Promise<SettingsResource> {
    const change = new ChangeSettings(changesIn(body), commandContext(caller, 'merchant'));
    return presentSettings(await this.commands.execute(change));
  }
}

function presentSettings(settings: SettingsFacts): SettingsResource {
  return {
    object: 'settings',
    payment_tolerance_bps: settings.payment_tolerance_bps,
    enabled_tokens: settings.enabled_tokens,
    brand: settings.brand,
    default_success_url: settings.default_success_url,
    api_version: settings.api_version,
    checkout_restart: settings.checkout_restart,
    invoice_prefix: settings.invoice_prefix,
    reminders: settings.reminders,
    time_zone: settings.time_zone,
    customer_language: settings.customer_language,
  };
}
