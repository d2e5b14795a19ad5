import type { Type } from '@nestjs/common';
import type { ServedRealm } from '../http/served-realm';
import { securityControllerOf } from '../security/security.controller';
import { enrolControllerOf } from './enrol.controller';
import { mailedLinksControllerOf } from './mailed-links.controller';
import { passkeysControllerOf } from './passkeys.controller';
import { signInControllerOf } from './sign-in.controller';
import { signOutControllerOf } from './sign-out.controller';

/** The controllers of the ways in and out of a realm's pages, and of a person's own account. */
export function accountControllersOf(served: ServedRealm): readonly Type<object>[] {
  return [
    enrolControllerOf(served),
    mailedLinksControllerOf(served),
    passkeysControllerOf(served),
    securityControllerOf(served),
    signInControllerOf(served),
    signOutControllerOf(served),
  ];
}
