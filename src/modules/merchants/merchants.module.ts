import { Module } from '@nestjs/common';
import { SettingsController } from './api/settings.controller';
import { ChangeSettingsHandler } from './commands/change-settings.command';
import { DisableMerchantHandler, EnableMerchantHandler } from './commands/disable-merchant.command';

@Module({
  controllers: [SettingsController],
  providers: [ChangeSettingsHandler, DisableMerchantHandler, EnableMerchantHandler],
})
export class MerchantsModule {}
