import type { Type } from '@nestjs/common';
import { ADMINS } from '../admins';
import { GEO_BLOCKS, SCREENING, VELOCITY_LIMITS } from '../controls/controls';
import { SANCTIONS } from '../controls/sanctions';
import { FEE_ACCOUNTS, FEE_ADJUSTMENTS, FEE_INVOICES } from '../fees';
import { HOLDS } from '../holds/holds';
import { REVIEWS } from '../holds/reviews';
import { KYB_CASES } from '../kyb/kyb-cases';
import { MERCHANTS } from '../merchants/merchants';
import { SWITCHES } from '../merchants/switches';
import { NAMINGS } from '../transfers/namings';
import { UNMATCHED_TRANSFERS } from '../transfers/unmatched-transfers';
import { listControllersOf } from './list.controllers';

/** The pages of every list. A list below another one's path comes first, since its path is none of a row. */
export const LIST_PAGES: readonly Type<object>[] = [
  ...listControllersOf(ADMINS),
  ...listControllersOf(GEO_BLOCKS),
  ...listControllersOf(SCREENING),
  ...listControllersOf(VELOCITY_LIMITS),
  ...listControllersOf(SANCTIONS),
  ...listControllersOf(FEE_ADJUSTMENTS),
  ...listControllersOf(FEE_INVOICES),
  ...listControllersOf(FEE_ACCOUNTS),
  ...listControllersOf(HOLDS),
  ...listControllersOf(REVIEWS),
  ...listControllersOf(KYB_CASES),
  ...listControllersOf(MERCHANTS),
  ...listControllersOf(SWITCHES),
  ...listControllersOf(NAMINGS),
  ...listControllersOf(UNMATCHED_TRANSFERS),
];
