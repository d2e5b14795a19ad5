import type { CheckView, GroupView, OutboxView, RatesView } from '../../../src/modules/system/system-reads';
import { Card } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { usePaths } from '../../parts/signed-context';
import { Badge, spoken, type Tone } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { durationText } from '../../words/durations';
import { HealthTabs } from './health-tabs';
import { LookAgain } from './look-again';

type HealthView = {
  readonly checks: readonly CheckView[];
  readonly groups: readonly GroupView[];
  readonly outboxes: readonly OutboxView[];
  readonly rates: readonly RatesView[];
  readonly atMs: number;
};

/** Whether the service works, part by part. */
export function HealthPage({ view: { checks, groups, outboxes, rates, atMs } }: { readonly view: HealthView }) {
  return (
    <ConsolePage title="Health" current="health" actions={<LookAgain path="health" atMs={atMs} />}>
      <HealthTabs current="health" />
      <ChecksCard checks={checks} />
      <GroupsCard groups={groups} />
      <OutboxCard outboxes={outboxes} />
      <RatesCard rates={rates} />
    </ConsolePage>
  );
}

const CHECK_TONES: Readonly<Record<CheckView['state'], Tone>> = { ok: 'ok', degraded: 'warn', unavailable: 'bad' };

function ChecksCard({ checks }: Pick<HealthView, 'checks'>) {
  return (
    <Card title="Checks of this process" liveId="checks">
      <DataTable
        name="Checks"
        columns={[{ heading: 'Check' }, { heading: 'State' }, { heading: 'Reason' }]}
        rows={checks.map(({ check, state, reason }) => ({
          key: check,
          cells: [
            spoken(check),
            <Badge key="state" tone={CHECK_TONES[state]} text={spoken(state)} />,
            <span key="reason" class="wrapped">
              {reason ?? '–'}
            </span>,
          ],
        }))}
      />
    </Card>
  );
}

function GroupsCard({ groups }: Pick<HealthView, 'groups'>) {
  const paths = usePaths();
  return (
    <Card title="Groups" liveId="groups">
      <p>Each group handles every event once. A message that fails again and again is parked, so others go on.</p>
      <DataTable
        name="Groups"
        columns={[{ heading: 'Group' }, { heading: 'Parked' }, { heading: 'Behind' }]}
        rows={groups.map(({ group, parked, lag_ms: lag }) => ({
          key: group,
          href: paths(`health/groups/${group}`),
          cells: [
            spoken(group),
            <Badge key="parked" tone={parked === 0 ? 'ok' : 'bad'} text={parked === 0 ? 'None' : String(parked)} />,
            lagText(lag),
          ],
        }))}
      />
    </Card>
  );
}

/** How far behind a reader of the log is. */
export function lagText(ms: number | null): string {
  if (ms === null) return 'Not told in time';
  return ms === 0 ? 'Nothing waits' : durationText(ms);
}

function OutboxCard({ outboxes }: Pick<HealthView, 'outboxes'>) {
  return (
    <Card title="Outbox" liveId="outbox">
      <DataTable
        name="Outbox"
        columns={[
          { heading: 'Mail' },
          { heading: 'Queued', isNumber: true },
          { heading: 'Oldest' },
          { heading: 'Next attempt' },
          { heading: 'Failing', isNumber: true },
          { heading: 'Given up', isNumber: true },
          { heading: 'Last fault' },
        ]}
        rows={outboxes.map(({ outbox, queued, has_more: hasMore, ...more }) => ({
          key: outbox,
          cells: [
            outbox === 'customers' ? 'To customers' : 'Notices to people',
            hasMore ? `${queued} or more` : queued,
            <Moment key="oldest" at={more.oldest_created_at} />,
            <Moment key="next" at={more.next_attempt_at} />,
            more.failing,
            more.given_up,
            <span key="detail" class="wrapped">
              {more.last_detail ?? '–'}
            </span>,
          ],
        }))}
      />
    </Card>
  );
}

function RatesCard({ rates }: Pick<HealthView, 'rates'>) {
  return (
    <Card title="Sources of rates" liveId="rates">
      {rates.length === 0 ? (
        <p>No source is configured, so no price can be quoted.</p>
      ) : (
        <DataTable
          name="Sources of rates"
          columns={[
            { heading: 'Source' },
            { heading: 'Mode' },
            { heading: 'State' },
            { heading: 'Newest' },
            { heading: 'Currencies', isNumber: true },
            { heading: 'Fault' },
          ]}
          rows={rates.map(each => ({
            key: `${each.mode} ${each.source}`,
            cells: [
              each.source,
              spoken(each.mode),
              <Badge key="state" tone={each.is_fresh ? 'ok' : 'bad'} text={each.is_fresh ? 'Fresh' : 'Stale'} />,
              <Moment key="newest" at={each.newest_at} />,
              each.currencies,
              <span key="fault" class="wrapped">
                {faultText(each)}
              </span>,
            ],
          }))}
        />
      )}
    </Card>
  );
}

function faultText({ failure, missing_pairs: missing }: RatesView): string {
  if (failure !== null) return spoken(failure);
  return missing.length === 0 ? '–' : `Missing: ${missing.join(', ')}`;
}

function Moment({ at }: { readonly at: string | null }) {
  return at === null ? <>–</> : <TimeOf at={at} />;
}
