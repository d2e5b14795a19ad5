import type { Type } from '@nestjs/common';
import type { FunctionComponent } from 'preact';
import { ConsolePage } from '../parts/console-page';
import { DashboardPage } from '../parts/dashboard-page';
import { ADMIN_PAGES, MERCHANT_PAGES, type PageRealm } from '../parts/page-realm';
import type { SignedPageProps } from '../parts/signed-page';
import { ConsolePages } from './console-pages';
import { DashboardPages } from './dashboard-pages';
import type { SignedPages } from './signed-pages';

/** A realm that a common controller serves: each realm has a controller of its own. */
export type ServedRealm = {
  readonly realm: PageRealm;
  /** The path of the realm's pages, as a controller takes it. */
  readonly path: string;
  /** The path of the reader's first page. */
  readonly home: string;
  readonly pages: Type<SignedPages>;
  /** The frame of a page for signed-in people. */
  readonly frame: FunctionComponent<SignedPageProps & { readonly current: string }>;
};

export const DASHBOARD: ServedRealm = {
  ...{ realm: MERCHANT_PAGES, path: 'dashboard', home: 'dashboard/:mode' },
  ...{ pages: DashboardPages, frame: DashboardPage },
};

export const CONSOLE: ServedRealm = {
  ...{ realm: ADMIN_PAGES, path: 'console', home: 'console' },
  ...{ pages: ConsolePages, frame: ConsolePage },
};
