import { Module } from '@nestjs/common';
import { SettingsController } from './api/settings.controller';
import { ChangeSettingsHandler } from './commands/change-settings.command';
import {
  CloseMerchantHandler,
  DisableMerchantHandler,
  EnableMerchantHandler,
} from './commands/disable-merchant.command';
import { SetMerchantLimitsHandler } from './commands/set-merchant-limits.command';

@Module({
  controllers: [SettingsController],
  providers: [
    ChangeSettingsHandler,
    CloseMerchantHandler,
    DisableMerchantHandler,
    EnableMerchantHandler,
    SetMerchantLimitsHandler,
  ],
})
export class MerchantsModule {}
