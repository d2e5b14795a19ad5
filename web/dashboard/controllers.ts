import type { Type } from '@nestjs/common';
import { BooksController } from './books/books.controller';
import { DashboardExportsController } from './exports/exports.controller';
import { DashboardFeesController } from './fees/fees.controller';
import { EntryController } from './home/entry.controller';
import { HomeController } from './home/home.controller';
import { DashboardInvoiceController } from './invoices/invoice.controller';
import { DashboardInvoicesController } from './invoices/invoices.controller';
import { LinksController } from './links/links.controller';
import { LoggedRequestController } from './logged-request.controller';
import { OutboxController } from './outbox/outbox.controller';
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
  BooksController,
  DashboardExportsController,
  DashboardFeesController,
  DashboardInvoiceController,
  DashboardInvoicesController,
  EnrolController,
  EntryController,
  HomeController,
  LinksController,
  LoggedRequestController,
  OutboxController,
  PasskeysController,
  PaymentController,
  PaymentsController,
  ReviewsController,
  SecurityController,
  SignInController,
  TransfersController,
];
