/**
 * A provider as the process knows it that asks it. `excluded`: it serves another chain, or a check found a fault.
 * `lagging`: its head is too far behind. `absent`: it has long not answered. `resting`: it failed or asked for a pause.
 * `unasked`: this process has asked it nothing yet.
 */
export type ProviderStanding = {
  readonly host: string;
  readonly state: 'answering' | 'resting' | 'absent' | 'lagging' | 'excluded' | 'unasked';
  readonly answered_at: string | null;
};
