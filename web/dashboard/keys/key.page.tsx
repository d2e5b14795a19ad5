import type { ApiKeyResource } from '../../../src/modules/api-keys/api/api-keys.contract';
import { lacksPermission, lacksScope, type Grantor } from '../../../src/modules/api-keys/api-key.decider';
import { Card } from '../../parts/card';
import { Confirm } from '../../parts/confirm';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { Note } from '../../parts/note';
import { useFault, usePaths } from '../../parts/signed-context';
import { Badge, spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { Denied } from './denied';
import { KEY_KINDS_IN_WORDS, KEY_TONES, maskedKey, scopeText } from './key-words';

type KeyPageProps = {
  readonly apiKey: ApiKeyResource;
  /** The power by which the person makes and ends keys. */
  readonly grantor: Grantor;
};

/** One key with what it may do, and the ways to replace and to end it. */
export function KeyPage({ apiKey: key, grantor }: KeyPageProps) {
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
      {mayManage && <Steps apiKey={key} grantor={grantor} />}
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
                {scopeText(scope, key.denied)} <code>{scope}</code>
              </li>
            ))}
          </ul>
          {key.denied.length > 0 && (
            <Denied permissions={key.denied} because="the role of its maker did not allow it" />
          )}
        </Card>
      </div>
    </DashboardPage>
  );
}

function Steps({ apiKey: key, grantor }: KeyPageProps) {
  const fault = useFault();
  const paths = usePaths();
  if (key.status === 'revoked' || key.status === 'expired') return null;
  if (lacksScope(key, grantor)) return <Beyond text="An owner rotates and revokes it." />;
  const isBeyond = lacksPermission({ scopes: key.scopes, withheld: key.denied }, grantor);
  const [rotate, revoke] = [paths(`keys/${key.id}/rotate`), paths(`keys/${key.id}/revoke`)];
  return (
    <div class="confirms">
      {isBeyond && <Beyond text="An owner rotates it; you may revoke it." />}
      {key.status === 'active' && !isBeyond && (
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

function Beyond({ text }: { readonly text: string }) {
  return (
    <Note tone="info" icon="info">
      <p>This key may do more than your role. {text}</p>
    </Note>
  );
}
