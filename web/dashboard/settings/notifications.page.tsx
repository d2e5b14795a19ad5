import type { OptionalMail } from '../../../src/modules/outbox/notifications.events';
import type { NotificationsView } from '../../../src/modules/outbox/queries/get-notifications.query';
import type { Mode } from '../../../src/vocabulary/modes';
import { Card } from '../../parts/card';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { FieldGroup } from '../../parts/field-group';
import { CheckField } from '../../parts/fields';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { SettingsTabs } from './settings-tabs';
import { MODE_NAMES } from './settings-words';

const WORDS: Readonly<Record<OptionalMail, { readonly label: string; readonly hint: string }>> = {
  transfer_queued: { label: 'Unmatched transfers', hint: 'A transfer has reached a wallet, and no payment took it.' },
  payment_inferred: {
    label: 'Payments to review',
    hint: 'A payment was paid short or late, and waits for your decision.',
  },
  invoice_paid_again: { label: 'Invoices paid twice', hint: 'A paid invoice has got a second payment.' },
};

type Props = { readonly mode: Mode; readonly notifications: NotificationsView };

/** The mails that an account can do without, in one mode. */
export function NotificationsPage({ mode, notifications }: Props) {
  const paths = usePaths();
  const mayManage = useMay('settings.manage');
  return (
    <DashboardPage title="Notifications" current="settings">
      <SettingsTabs current="settings/notifications" />
      <Card title={`E-mails of ${MODE_NAMES[mode]}`}>
        <p>E-mails about keys, endpoints, routes, fees, and payments that were undone are always sent.</p>
        {mayManage ? (
          <SignedForm action={paths('settings/notifications')}>
            <FieldGroup name="muted" label="Send these too">
              {notifications.map(({ kind, isMailed }) => (
                <CheckField key={kind} name={kind} {...WORDS[kind]} isTicked={isMailed} />
              ))}
            </FieldGroup>
            <Submit>Save</Submit>
          </SignedForm>
        ) : (
          <Definitions
            entries={notifications.map(({ kind, isMailed }) => [WORDS[kind].label, isMailed ? 'Sent' : 'Not sent'])}
          />
        )}
      </Card>
    </DashboardPage>
  );
}
