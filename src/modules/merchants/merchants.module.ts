import { Module } from '@nestjs/common';
import { SettingsController } from './api/settings.controller';
import { ChangeSettingsHandler } from './commands/change-settings.command';
import {
  CloseMerchantHandler,
  DisableMerchantHandler,
  EnableMerchantHandler,
} from './commands/disable-merchant.command';

@Module({
  controllers: [SettingsController],
  providers: [ChangeSettingsHandler, CloseMerchantHandler, DisableMerchantHandler, EnableMerchantHandler],
})
export class MerchantsModule {}
