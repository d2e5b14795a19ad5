/** The groups of competing consumers by which processes follow the log. */
export const GROUP_NAMES = ['webhooks', 'deliveries', 'consequences', 'matching', 'audit'] as const;
export type GroupName = (typeof GROUP_NAMES)[number];

export function isGroupName(text: string): text is GroupName {
  return (GROUP_NAMES as readonly string[]).includes(text);
}
