import type { Type } from '@nestjs/common';
import { EventsController } from './events/events.controller';
import { EntryController } from './home/entry.controller';
import { HomeController } from './home/home.controller';
import { KeysController } from './keys/keys.controller';
import { LoggedRequestController } from './logged-request.controller';
import { RequestsController } from './requests/requests.controller';
import { SimulateController } from './simulate/simulate.controller';
import { EndpointController } from './webhooks/endpoint.controller';
import { WebhooksController } from './webhooks/webhooks.controller';
import { SecurityController } from './security/security.controller';
import { AccountEntryController } from './sign-in/account-entry.controller';
import { EnrolController } from './sign-in/enrol.controller';
import { PasskeysController } from './sign-in/passkeys.controller';
import { SignInController } from './sign-in/sign-in.controller';

/** The controllers of the dashboard's pages, one a line. */
export const DASHBOARD_CONTROLLERS: readonly Type<object>[] = [
  AccountEntryController,
  EnrolController,
  EntryController,
  EventsController,
  HomeController,
  KeysController,
  LoggedRequestController,
  RequestsController,
  SimulateController,
  WebhooksController,
  EndpointController,
  PasskeysController,
  SecurityController,
  SignInController,
];
