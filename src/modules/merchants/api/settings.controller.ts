import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  ChecksBody,
  commandContext,
  CurrentCaller,
  RequireScope,
  type BodyCheck,
  type Caller,
} from '../../../platform/http/caller';
import { Documented } from '../../../platform/http/openapi-operation';
import { ChangeSettings } from '../commands/change-settings.command';
import { DEFAULT_SETTINGS, settingsChanged, type SettingsChanges } from '../merchant-settings';
import { GetMerchant } from '../queries/get-merchant.query';
import { ChangeSettingsDto } from './settings.dto';
import { SETTINGS_OPERATIONS, type SettingsResource } from './settings.operations';
import { presentSettings } from './settings.presenter';

/** No change is wrong for what was set before it, so it may be judged by what everybody starts with. */
const checkChanges: BodyCheck<ChangeSettingsDto> = body => void settingsChanged(changesIn(body), DEFAULT_SETTINGS);

@ApiTags('Settings')
@ApiBearerAuth()
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

function changesIn(body: ChangeSettingsDto): SettingsChanges {
  return {
    ...(body.payment_tolerance_bps !== undefined && { toleranceBps: body.payment_tolerance_bps }),
    ...(body.enabled_tokens !== undefined && { enabledTokens: body.enabled_tokens }),
    ...(body.brand !== undefined && { brand: given(body.brand) }),
    ...(body.default_success_url !== undefined && { defaultSuccessUrl: body.default_success_url }),
    ...(body.api_version !== undefined && { apiVersion: body.api_version }),
  };
}

/** The class's own fields stand there undefined where the body left them out. */
function given<T extends object>(dto: T): Partial<T> {
  return Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined)) as Partial<T>;
}
