import type { ApiKeyResource } from '../../../src/modules/api-keys/api/api-keys.contract';
import { grants, type Scope } from '../../../src/vocabulary/scopes';
import { Card } from '../../parts/card';
import { Confirm } from '../../parts/confirm';
import { useDashboard, useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { usePaths } from '../../parts/dashboard-path';
import { Definitions } from '../../parts/definitions';
import { Note } from '../../parts/note';
import { Badge, spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { KEY_KINDS_IN_WORDS, KEY_TONES, maskedKey, SCOPE_WORDS } from './key-words';

type KeyPageProps = {
  readonly apiKey: ApiKeyResource;
  /** The scopes that the person can give and take. */
  readonly grantable: readonly Scope[];
};

/** One key with what it may do, and the ways to replace and to end it. */
export function KeyPage({ apiKey: key, grantable }: KeyPageProps) {
  const paths = usePaths();
  const mayManage = useMay('key.manage');
  const when = (at: string | null, otherwise: string) => (at === null ? otherwise : <TimeOf at={at} />);
  return (
    <DashboardPage
      title={key.name ?? maskedKey(key)}
      current="keys"
      back={{ path: 'keys', text: 'API keys' }}
      actions={<Badge tone={KEY_TONES[key.status]} text={spoken(key.status)} />}
    >
      {mayManage && <Steps apiKey={key} isBeyond={!key.scopes.every(scope => grants(grantable, scope))} />}
      <div class="columns even loose">
        <Card title="Key" liveId="key">
          <Definitions
            entries={[
              ['Key', <code key="key">{maskedKey(key)}</code>],
              ['Id', <code key="id">{key.id}</code>],
              ['Kind', KEY_KINDS_IN_WORDS.find(({ value }) => value === key.kind)?.text ?? key.kind],
              ['Created', when(key.created, '–')],
              ['Last used', when(key.last_used_at, 'Never')],
              ['Ends', when(key.expires_at, 'Never')],
              ...(key.revoked_at === null ? [] : [['Revoked', when(key.revoked_at, '–')] as const]),
            ]}
          />
          <p>
            <a href={`${paths('requests')}?key=${key.id}`}>Requests of this key</a>
          </p>
        </Card>
        <Card title="What it may do">
          <ul class="plain">
            {key.scopes.map(scope => (
              <li key={scope}>
                {SCOPE_WORDS[scope]} <code>{scope}</code>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </DashboardPage>
  );
}

function Steps({ apiKey: key, isBeyond }: { readonly apiKey: ApiKeyResource; readonly isBeyond: boolean }) {
  const { fault } = useDashboard();
  const paths = usePaths();
  if (key.status === 'revoked' || key.status === 'expired') return null;
  if (isBeyond)
    return (
      <Note tone="info" icon="info">
        <p>This key may do more than your role. An owner rotates and revokes it.</p>
      </Note>
    );
  const [rotate, revoke] = [paths(`keys/${key.id}/rotate`), paths(`keys/${key.id}/revoke`)];
  return (
    <div class="confirms">
      {key.status === 'active' && (
        <Confirm
          id="rotate"
          action={rotate}
          button="Rotate the key"
          text={<p>A new key with the same rights is made. {maskedKey(key)} works for 7 days more, and then ends.</p>}
          isDanger={false}
          isOpen={fault?.action === rotate}
          asksCode
        />
      )}
      <Confirm
        id="revoke"
        action={revoke}
        button="Revoke the key"
        text={<p>{maskedKey(key)} ends at once and for good. Programs that use it are refused.</p>}
        isOpen={fault?.action === revoke}
        asksCode
      />
    </div>
  );
}
