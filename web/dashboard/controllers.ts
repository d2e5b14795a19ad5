import type { Type } from '@nestjs/common';
import { EntryController } from './home/entry.controller';
import { HomeController } from './home/home.controller';
import { LoggedRequestController } from './logged-request.controller';

/** The controllers of the dashboard's pages, one a line. */
export const DASHBOARD_CONTROLLERS: readonly Type<object>[] = [
  EntryController,
  HomeController,
  LoggedRequestController,
];
