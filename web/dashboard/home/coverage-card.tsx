import type { NetworkCoverage } from '../../../src/modules/home/queries/home-view';
import type { NetworkAlarm } from '../../../src/vocabulary/network-alarm';
import { NETWORKS } from '../../../src/vocabulary/networks';
import { Card } from '../../parts/card';
import { Badge, type Tone } from '../../parts/status-badge';
import { plural } from '../../words/plural';

type Words = { readonly tone: Tone; readonly badge: string; readonly text: string };

const ALARMS: Readonly<Record<NetworkAlarm, Words>> = {
  gaps: { tone: 'bad', badge: 'Gaps', text: 'Some blocks were never scanned. The operator has been told.' },
  set_aside_full: { tone: 'bad', badge: 'Stopped', text: 'Scanning waits: too much could not be read.' },
  behind: { tone: 'bad', badge: 'Behind', text: 'No new prices are offered until the network is read again.' },
  clock: { tone: 'warn', badge: 'Clock', text: 'The clock of the service is far from the newest block.' },
  unplaced: { tone: 'warn', badge: 'Waiting', text: 'A transfer has waited long for its place.' },
  set_aside: { tone: 'warn', badge: 'Waiting', text: 'Something could not be read, and is tried again.' },
};
const FINE: Words = { tone: 'ok', badge: 'Watching', text: 'Nothing is missing.' };

/** How far each network is read, and its alarm. */
export function CoverageCard({ coverage }: { readonly coverage: readonly NetworkCoverage[] }) {
  return (
    <Card title="Watching the networks" liveId="coverage">
      {coverage.length === 0 && <p>No network is watched in this mode.</p>}
      <ul class="states">
        {coverage.map(({ network, lagMinutes, alarm }) => {
          const { tone, badge, text } = alarm === null ? FINE : ALARMS[alarm];
          return (
            <li key={network}>
              <p class="title">
                <strong>{NETWORKS[network].name}</strong>
                <Badge tone={tone} text={badge} />
              </p>
              <p class="label">
                {lagText(lagMinutes)} {text}
              </p>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function lagText(minutes: number | null): string {
  if (minutes === null) return 'No block was read yet.';
  return minutes === 0 ? 'Read up to the last minute.' : `The newest block read is ${plural(minutes, 'minute')} old.`;
}
