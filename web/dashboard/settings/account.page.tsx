import type { MerchantDocument } from '../../../src/modules/merchants/merchants.read-model';
import { REASON } from '../../../src/vocabulary/reasons';
import { Card } from '../../parts/card';
import { Confirm } from '../../parts/confirm';
import { Copied } from '../../parts/copied';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { TextAreaField } from '../../parts/fields';
import { useFault, usePaths } from '../../parts/signed-context';
import { Badge } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { SettingsTabs } from './settings-tabs';

type Props = {
  readonly account: Pick<MerchantDocument, 'merchant_id' | 'name' | 'email' | 'status' | 'closed_reason' | 'created'>;
};

/** The account itself, above the modes, and the way to close it. */
export function AccountPage({ account }: Props) {
  const mayClose = useMay('account.close');
  const isClosed = account.status === 'closed';
  return (
    <DashboardPage title="Account" current="settings">
      <SettingsTabs current="settings/account" />
      <Card title="Business">
        <Definitions
          entries={[
            ['Name', account.name],
            ['E-mail address', account.email],
            ['State', <AccountState key="state" isClosed={isClosed} />],
            ...(isClosed ? [['Closed because', account.closed_reason ?? ''] as const] : []),
            ['Opened', <TimeOf key="created" at={account.created} as="day" />],
            ['Id', <AccountId key="id" id={account.merchant_id} />],
          ]}
        />
      </Card>
      {mayClose && !isClosed && <Closing name={account.name} />}
    </DashboardPage>
  );
}

function AccountState({ isClosed }: { readonly isClosed: boolean }) {
  return isClosed ? <Badge tone="idle" text="Closed" /> : <Badge tone="ok" text="Open" />;
}

function AccountId({ id }: { readonly id: string }) {
  return (
    <Copied text={id} label="Copy the id">
      <code>{id}</code>
    </Copied>
  );
}

function Closing({ name }: { readonly name: string }) {
  const paths = usePaths();
  const fault = useFault();
  const action = paths('settings/account/close');
  return (
    <Card title="Close the account">
      <p>
        Closing ends the account of {name} for good, in both modes. Nobody can open it again, not even the operator.
      </p>
      <ul class="bullets">
        <li>No new payments, links or invoices can be made, and customers can start none.</li>
        <li>Payments under way are carried on, and their webhooks are sent.</li>
        <li>API keys read, and change nothing any more.</li>
        <li>Your people can still sign in and read. The money is in your own wallets, and stays there.</li>
      </ul>
      <Confirm
        id="close"
        action={action}
        button="Close the account"
        text={<p>This cannot be undone.</p>}
        isOpen={fault?.action === action}
        asksCode
      >
        <TextAreaField name="reason" label="Reason" hint="It is kept in the log." maxLength={REASON.max} />
      </Confirm>
    </Card>
  );
}
