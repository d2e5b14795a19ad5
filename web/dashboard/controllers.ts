import type { Type } from '@nestjs/common';
import { EntryController } from './home/entry.controller';
import { HomeController } from './home/home.controller';
import { LoggedRequestController } from './logged-request.controller';
import { PeopleController } from './people/people.controller';
import { SecurityController } from './security/security.controller';
import { AccountController } from './settings/account.controller';
import { NotificationsController } from './settings/notifications.controller';
import { SessionPolicyController } from './settings/session-policy.controller';
import { SettingsPagesController } from './settings/settings.controller';
import { AccountEntryController } from './sign-in/account-entry.controller';
import { EnrolController } from './sign-in/enrol.controller';
import { PasskeysController } from './sign-in/passkeys.controller';
import { SignInController } from './sign-in/sign-in.controller';
import { VerificationController } from './verification/verification.controller';

/** The controllers of the dashboard's pages, one a line. */
export const DASHBOARD_CONTROLLERS: readonly Type<object>[] = [
  AccountController,
  AccountEntryController,
  EnrolController,
  EntryController,
  HomeController,
  LoggedRequestController,
  NotificationsController,
  PasskeysController,
  PeopleController,
  SecurityController,
  SessionPolicyController,
  SettingsPagesController,
  SignInController,
  VerificationController,
];
