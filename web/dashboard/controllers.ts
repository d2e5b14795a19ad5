import type { Type } from '@nestjs/common';
import { EntryController } from './home/entry.controller';
import { HomeController } from './home/home.controller';
import { LoggedRequestController } from './logged-request.controller';
import { RoutePagesController } from './routes/routes.controller';
import { SecurityController } from './security/security.controller';
import { AccountEntryController } from './sign-in/account-entry.controller';
import { EnrolController } from './sign-in/enrol.controller';
import { PasskeysController } from './sign-in/passkeys.controller';
import { SignInController } from './sign-in/sign-in.controller';
import { WalletPagesController } from './wallets/wallets.controller';

/** The controllers of the dashboard's pages, one a line. */
export const DASHBOARD_CONTROLLERS: readonly Type<object>[] = [
  AccountEntryController,
  EnrolController,
  EntryController,
  HomeController,
  LoggedRequestController,
  PasskeysController,
  RoutePagesController,
  SecurityController,
  SignInController,
  WalletPagesController,
];
