import { Module } from '@nestjs/common';
import { UsersModule } from '../modules/users/users.module';
import { RegisterMerchantHandler } from '../processes/accounts/register-merchant';

/** Commands that make an account with its owner, which are streams of several modules. */
@Module({ imports: [UsersModule], providers: [RegisterMerchantHandler] })
export class AccountsModule {}
