import { DEFAULT_SESSION_POLICY } from '../../../src/modules/sessions/session-policy';
import type { SessionPolicyFacts } from '../../../src/modules/sessions/session-policy.events';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { CheckField, TextField } from '../../parts/fields';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { SettingsTabs } from './settings-tabs';

/** The limits of all sessions of an account, in both modes. */
export function SessionPolicyPage({ policy }: { readonly policy: SessionPolicyFacts }) {
  const paths = usePaths();
  const { idle_minutes: idle, absolute_minutes: absolute } = DEFAULT_SESSION_POLICY;
  return (
    <DashboardPage title="Sessions" current="settings">
      <SettingsTabs current="settings/session-policy" />
      <Card title="Limits of sessions">
        <p>They hold for everybody of this account, in both modes, and for open sessions from the next request on.</p>
        <SignedForm action={paths('settings/session-policy')} asksCode>
          <TextField
            name="idle_minutes"
            label="Minutes without activity"
            hint={`After them a person has to sign in again. At most ${idle}.`}
            value={String(policy.idle_minutes)}
            keyboard="numeric"
            maxLength={3}
          />
          <TextField
            name="absolute_minutes"
            label="Minutes in all"
            hint={`A session ends then, whatever its person does. At most ${absolute}, which are 12 hours.`}
            value={String(policy.absolute_minutes)}
            keyboard="numeric"
            maxLength={3}
          />
          <CheckField
            name="pin_ip"
            label="A session works from its own address alone"
            hint="Safer, and a nuisance for people whose address changes, as on a phone."
            isTicked={policy.pin_ip}
          />
          <Submit>Save</Submit>
        </SignedForm>
      </Card>
    </DashboardPage>
  );
}
