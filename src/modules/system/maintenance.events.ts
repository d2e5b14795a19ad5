/** An administrator has parked messages of a group tried anew. The event comes first, and then the replay. */
type ParkedMessagesReplayed = {
  readonly type: 'ParkedMessagesReplayed';
  readonly data: { readonly group: string; readonly messages: number; readonly reason: string };
};

/** An administrator has a read model built anew from the log. The event comes first, and then the rebuild. */
type ReadModelRebuilt = {
  readonly type: 'ReadModelRebuilt';
  readonly data: { readonly read_model: string; readonly reason: string };
};

export type MaintenanceEvent = ParkedMessagesReplayed | ReadModelRebuilt;
