import type { Type } from '@nestjs/common';
import { CONSOLE } from '../http/served-realm';
import { accountControllersOf } from '../sign-in/controllers';
import { ACTION_PAGES } from './actions/action.controllers';
import { ConsoleApprovalsController } from './approvals/approvals.controller';
import { ConsoleAuditController } from './audit/audit.controller';
import { ConsoleCoverageController } from './coverage/coverage.controller';
import { ConsoleHealthController } from './health/health.controller';
import { ConsoleHomeController } from './home/home.controller';
import { ConsoleKybDocumentsController } from './kyb/kyb-documents.controller';
import { LIST_PAGES } from './lists/all-lists';
import { ConsoleStreamsController } from './streams/streams.controller';

/** The controllers of the console's pages, one a line. */
export const CONSOLE_CONTROLLERS: readonly Type<object>[] = [
  ...accountControllersOf(CONSOLE),
  ...ACTION_PAGES,
  ConsoleApprovalsController,
  ConsoleAuditController,
  ConsoleCoverageController,
  ConsoleHealthController,
  ConsoleHomeController,
  ConsoleKybDocumentsController,
  ...LIST_PAGES,
  ConsoleStreamsController,
];
