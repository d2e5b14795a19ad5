import type { NetworkView } from '../../../src/modules/system/system-reads';
import type { ProviderStanding } from '../../../src/kernel/ports/provider-standing';
import type { NetworkAlarm } from '../../../src/vocabulary/network-alarm';
import { Badge, type Tone } from '../../parts/status-badge';

type Words = { readonly tone: Tone; readonly badge: string; readonly text: string };

const ALARMS: Readonly<Record<NetworkAlarm, Words>> = {
  gaps: { tone: 'bad', badge: 'Gaps', text: 'Some blocks were never scanned.' },
  set_aside_full: { tone: 'bad', badge: 'Stopped', text: 'So much is set aside that scanning waits.' },
  behind: { tone: 'bad', badge: 'Behind', text: 'The network takes no new quotes until it is read again.' },
  clock: { tone: 'warn', badge: 'Clock', text: 'The clock of the service is far from the newest block.' },
  unplaced: { tone: 'warn', badge: 'Waiting', text: 'A transfer has waited long for its place.' },
  set_aside: { tone: 'warn', badge: 'Set aside', text: 'Something could not be read, and is tried again.' },
};
const FINE: Words = { tone: 'ok', badge: 'Read', text: 'Nothing is missing.' };
const NEVER: Words = { tone: 'idle', badge: 'Never read', text: 'No process has read this network in this mode.' };
const BEHIND = ALARMS.behind;
const STOPPED = ALARMS.set_aside_full;

/** The network's state: its alarm, or what the shared record says where the watching process is another one. */
export function networkWords({ coverage, alarm }: Pick<NetworkView, 'coverage' | 'alarm'>): Words {
  if (alarm !== null) return ALARMS[alarm];
  if (coverage === null) return NEVER;
  if (coverage.is_waiting) return STOPPED;
  if (coverage.is_behind) return BEHIND;
  return coverage.holes.length > 0 || coverage.deferred.length > 0 ? ALARMS.set_aside : FINE;
}

export function NetworkBadge({ network }: { readonly network: NetworkView }) {
  const { tone, badge } = networkWords(network);
  return <Badge tone={tone} text={badge} />;
}

const PROVIDERS: Readonly<Record<ProviderStanding['state'], Words>> = {
  answering: { tone: 'ok', badge: 'Answering', text: 'It answers.' },
  resting: { tone: 'warn', badge: 'Resting', text: 'It failed, or asked for a pause.' },
  absent: { tone: 'bad', badge: 'Absent', text: 'It has long not answered.' },
  lagging: { tone: 'warn', badge: 'Lagging', text: 'Its newest block is too old.' },
  excluded: { tone: 'bad', badge: 'Excluded', text: 'It serves another chain, or a check found a fault.' },
  unasked: { tone: 'idle', badge: 'Not asked', text: 'This process has not asked it yet.' },
};

export function providerWords(state: ProviderStanding['state']): Words {
  return PROVIDERS[state];
}

/** How many of the network's providers answer. */
export function providersText(providers: readonly ProviderStanding[]): string {
  if (providers.length === 0) return 'None here';
  const answering = providers.filter(({ state }) => state === 'answering').length;
  return `${answering} of ${providers.length} answer`;
}
