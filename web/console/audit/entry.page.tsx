import { jsonChanges } from '../../../src/kernel/json-changes';
import type { AdminNames } from '../../../src/modules/admins/api/name-admins.query';
import type { AuditEntryResource } from '../../../src/modules/audit/api/audit.contract';
import { Card } from '../../parts/card';
import { Json } from '../../parts/code';
import { ConsolePage } from '../../parts/console-page';
import { Definitions } from '../../parts/definitions';
import { Diff } from '../../parts/diff';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { StreamLink } from '../streams/stream-link';
import { ActorOf, actionWords } from './audit-words';

type EntryPageProps = { readonly entry: AuditEntryResource; readonly names: AdminNames };

/** One entry of the audit log: the actor, the object, what changed, and the request it came with. */
export function EntryPage({ entry, names }: EntryPageProps) {
  const { action, before, after } = entry;
  const changes = jsonChanges(before, after).map(({ field, ...change }) => ({ name: field, ...change }));
  return (
    <ConsolePage title={actionWords(action)} current="audit" back={{ path: 'audit', text: 'Audit log' }}>
      <div class="columns">
        <div class="stack">
          <Card title={before === null ? 'What was recorded' : 'What changed'}>
            {changes.length > 0 ? <Diff label="Changes" changes={changes} /> : <p>No field of the object changed.</p>}
          </Card>
          <Card title="Before and after">
            {before === null && <p>Before this, nothing was there, or its state is not shown here.</p>}
            <Json label="Before" value={before ?? undefined} />
            <Json label="After" value={after ?? undefined} />
          </Card>
        </div>
        <div class="stack">
          <Facts entry={entry} names={names} />
        </div>
      </div>
    </ConsolePage>
  );
}

function Facts({ entry, names }: EntryPageProps) {
  const { id, occurred_at, actor, target, merchant_id: merchant, mode, ip, request_id, stream, revision } = entry;
  const paths = usePaths();
  const listed = (filter: string, value: string) => `${paths('audit')}?${new URLSearchParams({ [filter]: value })}`;
  return (
    <Card title="Entry">
      <Definitions
        entries={[
          ['Time', <TimeOf key="time" at={occurred_at} as="exact" />],
          [
            'Actor',
            <a key="actor" href={listed('actor', actor.id)}>
              <ActorOf {...{ actor, names }} />
            </a>,
          ],
          ['Kind of object', spoken(target.type)],
          [
            'Object',
            <a key="target" href={listed('target', target.id)}>
              <code>{target.id}</code>
            </a>,
          ],
          [
            'Merchant',
            merchant === null ? (
              'None'
            ) : (
              <a key="merchant" href={listed('merchant', merchant)}>
                <code>{merchant}</code>
              </a>
            ),
          ],
          ['Mode', spoken(mode)],
          ['Network address', ip ?? 'None: the service or its command line did it'],
          ['Request', request_id === null ? 'None' : <code key="request">{request_id}</code>],
          ['Event', <StreamLink key="event" stream={stream} revision={revision} />],
          ['Entry', <code key="entry">{id}</code>],
        ]}
      />
    </Card>
  );
}
