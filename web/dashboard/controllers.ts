import type { Type } from '@nestjs/common';
import { DashboardExportsController } from './exports/exports.controller';
import { EventsController } from './events/events.controller';
import { EntryController } from './home/entry.controller';
import { HomeController } from './home/home.controller';
import { KeysController } from './keys/keys.controller';
import { LoggedRequestController } from './logged-request.controller';
import { PeopleController } from './people/people.controller';
import { PaymentController } from './payments/payment.controller';
import { PaymentsController } from './payments/payments.controller';
import { ReviewsController } from './reviews/reviews.controller';
import { RequestsController } from './requests/requests.controller';
import { SimulateController } from './simulate/simulate.controller';
import { EndpointController } from './webhooks/endpoint.controller';
import { WebhooksController } from './webhooks/webhooks.controller';
import { RoutePagesController } from './routes/routes.controller';
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
import { TransfersController } from './transfers/transfers.controller';
import { WalletPagesController } from './wallets/wallets.controller';

/** The controllers of the dashboard's pages, one a line. */
export const DASHBOARD_CONTROLLERS: readonly Type<object>[] = [
  AccountController,
  AccountEntryController,
  DashboardExportsController,
  EnrolController,
  EntryController,
  EventsController,
  HomeController,
  KeysController,
  LoggedRequestController,
  NotificationsController,
  RequestsController,
  SimulateController,
  WebhooksController,
  EndpointController,
  PasskeysController,
  PeopleController,
  PaymentController,
  PaymentsController,
  ReviewsController,
  RoutePagesController,
  SecurityController,
  SessionPolicyController,
  SettingsPagesController,
  SignInController,
  VerificationController,
  TransfersController,
  WalletPagesController,
];
