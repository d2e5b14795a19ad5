import type { Type } from '@nestjs/common';
import { CONSOLE } from '../http/served-realm';
import { accountControllersOf } from '../sign-in/controllers';
import { ConsoleHomeController } from './home/home.controller';

/** The controllers of the console's pages, one a line. */
export const CONSOLE_CONTROLLERS: readonly Type<object>[] = [...accountControllersOf(CONSOLE), ConsoleHomeController];
