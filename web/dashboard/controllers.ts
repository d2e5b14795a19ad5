import type { Type } from '@nestjs/common';
import { DASHBOARD } from '../http/served-realm';
import { accountControllersOf } from '../sign-in/controllers';
import { BooksController } from './books/books.controller';
import { EventsController } from './events/events.controller';
import { DashboardExportsController } from './exports/exports.controller';
import { DashboardFeesController } from './fees/fees.controller';
import { EntryController } from './home/entry.controller';
import { HomeController } from './home/home.controller';
import { DashboardInvoiceController } from './invoices/invoice.controller';
import { DashboardInvoicesController } from './invoices/invoices.controller';
import { KeysController } from './keys/keys.controller';
import { LinksController } from './links/links.controller';
import { LoggedRequestController } from './logged-request.controller';
import { OutboxController } from './outbox/outbox.controller';
import { PaymentController } from './payments/payment.controller';
import { PaymentsController } from './payments/payments.controller';
import { PeopleController } from './people/people.controller';
import { RequestsController } from './requests/requests.controller';
import { ReviewsController } from './reviews/reviews.controller';
import { RoutePagesController } from './routes/routes.controller';
import { AccountController } from './settings/account.controller';
import { NotificationsController } from './settings/notifications.controller';
import { SessionPolicyController } from './settings/session-policy.controller';
import { SettingsPagesController } from './settings/settings.controller';
import { AccountEntryController } from './sign-in/account-entry.controller';
import { SimulateController } from './simulate/simulate.controller';
import { TransfersController } from './transfers/transfers.controller';
import { VerificationController } from './verification/verification.controller';
import { WalletPagesController } from './wallets/wallets.controller';
import { EndpointController } from './webhooks/endpoint.controller';
import { WebhooksController } from './webhooks/webhooks.controller';

/** The controllers of the dashboard's pages, one a line. */
export const DASHBOARD_CONTROLLERS: readonly Type<object>[] = [
  ...accountControllersOf(DASHBOARD),
  AccountController,
  AccountEntryController,
  BooksController,
  DashboardExportsController,
  DashboardFeesController,
  DashboardInvoiceController,
  DashboardInvoicesController,
  EndpointController,
  EntryController,
  EventsController,
  HomeController,
  KeysController,
  LinksController,
  LoggedRequestController,
  NotificationsController,
  OutboxController,
  PaymentController,
  PaymentsController,
  PeopleController,
  RequestsController,
  ReviewsController,
  RoutePagesController,
  SessionPolicyController,
  SettingsPagesController,
  SimulateController,
  TransfersController,
  VerificationController,
  WalletPagesController,
  WebhooksController,
];
