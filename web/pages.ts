import type { Type } from '@nestjs/common';
import { BrandController } from './checkout/brand.controller';
import { CheckoutController } from './checkout/checkout.controller';
import { LoggedRequestController } from './dashboard/logged-request.controller';
import { DocsController } from './docs/docs.controller';
import { AssetsController } from './http/assets.controller';
import { PayController } from './pay/pay.controller';
import { InvoicePagesController } from './invoices/invoices.controller';
import { pagePathsOf } from './page-routes';

/** The controllers of pages, and of the files that pages load. */
export const CONTROLLERS: readonly Type<object>[] = [
  AssetsController,
  BrandController,
  CheckoutController,
  DocsController,
  InvoicePagesController,
  LoggedRequestController,
  PayController,
];

/** The path of every page, such as `/checkout/{id}`: each is looked at in a browser by a test. */
export const PAGES: readonly string[] = pagePathsOf(CONTROLLERS);
