import type { Type } from '@nestjs/common';
import { BrandController } from './checkout/brand.controller';
import { CheckoutController } from './checkout/checkout.controller';
import { DASHBOARD_CONTROLLERS } from './dashboard/controllers';
import { DocsController } from './docs/docs.controller';
import { AssetsController } from './http/assets.controller';
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
  ...DASHBOARD_CONTROLLERS,
  InvoicePagesController,
  PayController,
];

/** The addresses of the dashboard's forms lead back to their pages. */
export const RELOADS = reloadsOf(DASHBOARD_CONTROLLERS);

/** The path of every page, such as `/checkout/{id}`: each is looked at in a browser by a test. */
export const PAGES: readonly string[] = pagePathsOf(CONTROLLERS);
