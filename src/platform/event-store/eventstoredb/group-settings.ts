import { persistentSubscriptionToAllSettingsFromDefaults, ROUND_ROBIN, START } from '@eventstore/db-client';
import type { PersistentSubscriptionToAllSettings } from '@eventstore/db-client';

/**
 * The server counts each message time-out of a message that is held through an outage, and parks the message at this
 * count. The count is out of reach: some four years of time-outs. The consumer alone parks messages.
 */
const SERVER_RETRIES = 1_000_000;

/** The settings of every group; the client's defaults hold for all others. */
export const GROUP_SETTINGS: PersistentSubscriptionToAllSettings = persistentSubscriptionToAllSettingsFromDefaults({
  // The client's own default is the end of the log, so that a new group would never see earlier events.
  startFrom: START,
  consumerStrategyName: ROUND_ROBIN,
  // Ends only hanging messages, as a lost connection gives its messages back at once.
  messageTimeout: 120_000,
  maxRetryCount: SERVER_RETRIES,
  // Each checkpoint is an event of the server's, which counts towards the next checkpoint of every group. A lower bound
  // near the number of groups would keep an idle server writing for ever.
  checkPointLowerBound: 64,
  checkPointUpperBound: 1_000,
  checkPointAfter: 2_000,
  readBatchSize: 100,
  historyBufferSize: 1_000,
  liveBufferSize: 1_000,
});

const UPDATED = [
  'consumerStrategyName',
  'messageTimeout',
  'maxRetryCount',
  'checkPointLowerBound',
  'checkPointUpperBound',
  'checkPointAfter',
  'readBatchSize',
  'historyBufferSize',
  'liveBufferSize',
] as const;

/** An update drops all consumers of the group, so only a real change makes one. */
export function hasOtherSettings(standing: PersistentSubscriptionToAllSettings): boolean {
  return UPDATED.some(key => standing[key] !== GROUP_SETTINGS[key]);
}
