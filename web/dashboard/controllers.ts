import type { Type } from '@nestjs/common';
import { DashboardExportsController } from './exports/exports.controller';
import { EntryController } from './home/entry.controller';
import { HomeController } from './home/home.controller';
import { LoggedRequestController } from './logged-request.controller';
import { PaymentController } from './payments/payment.controller';
import { PaymentsController } from './payments/payments.controller';
import { ReviewsController } from './reviews/reviews.controller';
import { SecurityController } from './security/security.controller';
import { AccountEntryController } from './sign-in/account-entry.controller';
import { EnrolController } from './sign-in/enrol.controller';
import { PasskeysController } from './sign-in/passkeys.controller';
import { SignInController } from './sign-in/sign-in.controller';
import { TransfersController } from './transfers/transfers.controller';

/** The controllers of the dashboard's pages, one a line. */
export const DASHBOARD_CONTROLLERS: readonly Type<object>[] = [
  AccountEntryController,
  DashboardExportsController,
  EnrolController,
  EntryController,
  HomeController,
  LoggedRequestController,
  PasskeysController,
  PaymentController,
  PaymentsController,
  ReviewsController,
  SecurityController,
  SignInController,
  TransfersController,
];
