import { adminsProjection } from '../../projections/admins.projection';
import { apiKeysProjection } from '../../projections/api-keys.projection';
import { geoBlocksProjection } from '../../projections/geo-blocks.projection';
import { killSwitchesProjection } from '../../projections/kill-switches.projection';
import { merchantSettingsProjection } from '../../projections/merchant-settings.projection';
import { merchantsProjection } from '../../projections/merchants.projection';
import { sandboxClocksProjection } from '../../projections/sandbox-clocks.projection';
import { screeningSettingsProjection } from '../../projections/screening-settings.projection';
import { sessionPoliciesProjection } from '../../projections/session-policies.projection';
import { usersProjection } from '../../projections/users.projection';
import { velocityLimitsProjection } from '../../projections/velocity-limits.projection';
import { AccessReader, type AccessCategories } from '../kernel/access-reader';
import { AccessRevisions, raisingStore } from '../kernel/access-revisions';
import { invariant } from '../kernel/invariant';
import type { Documents } from '../kernel/ports/documents';
import type { EventStore } from '../kernel/ports/event-store';
import type { ReadModels } from '../kernel/ports/read-models';
import { mirroredCategory, type Projection } from '../kernel/projection';

/** The read models that say who may do what: each of them can change from one request to the next. */
const MIRRORS: readonly Projection[] = [
  adminsProjection,
  apiKeysProjection,
  merchantsProjection,
  merchantSettingsProjection,
  sandboxClocksProjection,
  sessionPoliciesProjection,
  usersProjection,
  killSwitchesProjection,
  velocityLimitsProjection,
  geoBlocksProjection,
  screeningSettingsProjection,
];

const CATEGORIES: AccessCategories = new Map(
  MIRRORS.map(projection => {
    const category = mirroredCategory(projection);
    invariant(category !== null, `${projection.name} mirrors no streams`);
    return [projection.name, category];
  }),
);

/** The log that all later writes go to, and the reader that relies on those writes. */
export function composeAccess(
  store: EventStore,
  documents: Documents,
  readModels: Pick<ReadModels, 'fold' | 'freshen'>,
): { readonly store: EventStore; readonly access: AccessReader } {
  const revisions = new AccessRevisions(documents);
  const access = new AccessReader(readModels, store, revisions, CATEGORIES);
  return { store: raisingStore(store, revisions, CATEGORIES.values()), access };
}
