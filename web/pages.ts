import type { Type } from '@nestjs/common';
import { BrandController } from './checkout/brand.controller';
import { CheckoutController } from './checkout/checkout.controller';
import { CONSOLE_CONTROLLERS } from './console/controllers';
import { DASHBOARD_CONTROLLERS } from './dashboard/controllers';
import { DocsController } from './docs/docs.controller';
import { AssetsController } from './http/assets.controller';
import { ConsolePages } from './http/console-pages';
import { DashboardPages } from './http/dashboard-pages';
import { reloadsOf } from './http/reloads';
import { PayController } from './pay/pay.controller';
import { InvoicePagesController } from './invoices/invoices.controller';
import { pagePathsOf } from './page-routes';

/** The controllers of pages, and of the files that pages load. */
export const CONTROLLERS: readonly Type<object>[] = [
  AssetsController,
  BrandController,
  CheckoutController,
  DocsController,
  ...CONSOLE_CONTROLLERS,
  ...DASHBOARD_CONTROLLERS,
  InvoicePagesController,
  PayController,
];

/** The addresses of forms lead back to their pages. */
export const RELOADS: readonly Type<object>[] = [
  reloadsOf(DASHBOARD_CONTROLLERS, DashboardPages),
  reloadsOf(CONSOLE_CONTROLLERS, ConsolePages),
];

/** The path of every page, such as `/checkout/{id}`: each is looked at in a browser by a test. */
export const PAGES: readonly string[] = pagePathsOf(CONTROLLERS);
