import {
  BRAND_NAME,
  MAX_REMINDERS,
  MAX_TOLERANCE_BPS,
  REMINDER_DAYS,
} from '../../../src/modules/merchants/merchant-settings';
import type { SettingsFacts } from '../../../src/vocabulary/settings-facts';
import { MAX_LINK_LENGTH } from '../../../src/kernel/links';
import { API_VERSIONS, NEWEST_API_VERSION } from '../../../src/vocabulary/api-versions';
import type { Mode } from '../../../src/vocabulary/modes';
import { TOKEN_IDS } from '../../../src/vocabulary/tokens';
import { Card } from '../../parts/card';
import { Confirm } from '../../parts/confirm';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { pathInMode } from '../../parts/dashboard-path';
import { Definitions } from '../../parts/definitions';
import { Diff } from '../../parts/diff';
import { FieldGroup } from '../../parts/field-group';
import { CheckField, SelectField, TextField } from '../../parts/fields';
import { usePage } from '../../parts/page-context';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { tokenName } from '../../words/chain-names';
import { LANGUAGE_OPTIONS } from '../../words/language-names';
import { percentOfBps } from '../../words/percent';
import { SettingsTabs } from './settings-tabs';
import { daysText, differencesOf, MODE_NAMES, settingsInWords } from './settings-words';

export type SettingsView = {
  readonly mode: Mode;
  readonly settings: SettingsFacts;
  /** Null where the service has one mode. */
  readonly other: { readonly mode: Mode; readonly settings: SettingsFacts } | null;
};

/** The settings of one mode, as forms for those who may change them. */
export function SettingsPage({ view }: { readonly view: SettingsView }) {
  const mayManage = useMay('settings.manage');
  const { settings, mode } = view;
  return (
    <DashboardPage title="Settings" current="settings">
      <SettingsTabs current="settings" />
      <p class="lead">These settings hold in {MODE_NAMES[mode]} alone.</p>
      {mayManage ? (
        <>
          <div class="columns even loose">
            <PaymentSettings settings={settings} />
            <BrandSettings settings={settings} />
            <InvoiceSettings settings={settings} />
            <GeneralSettings settings={settings} />
          </div>
          {view.other && <TakeOver settings={settings} mode={mode} other={view.other} />}
        </>
      ) : (
        <Card>
          <Definitions entries={settingsInWords(settings)} />
        </Card>
      )}
    </DashboardPage>
  );
}

type Props = Pick<SettingsView, 'settings'>;

function PaymentSettings({ settings }: Props) {
  const paths = usePaths();
  return (
    <Card title="Payments">
      <SignedForm action={paths('settings/payments')}>
        <TextField
          name="payment_tolerance_bps"
          label="Tolerance, in percent"
          hint={`A payment that is short by no more than this counts as paid. At most ${percentOfBps(MAX_TOLERANCE_BPS)}.`}
          value={percentOfBps(settings.payment_tolerance_bps)}
          keyboard="decimal"
          maxLength={6}
        />
        <FieldGroup name="enabled_tokens" label="Tokens that customers can pay with">
          {TOKEN_IDS.map(id => (
            <CheckField key={id} name={id} label={tokenName(id)} isTicked={settings.enabled_tokens.includes(id)} />
          ))}
        </FieldGroup>
        <TextField
          name="default_success_url"
          label="Page after a payment"
          hint="Customers come back here, unless the payment names another page."
          type="url"
          value={settings.default_success_url ?? ''}
          maxLength={MAX_LINK_LENGTH}
          placeholder="https://"
          isOptional
        />
        <CheckField
          name="checkout_restart"
          label="Customers may start a payment anew that expired or failed without money"
          hint="The former payment is still watched for 24 hours. A customer who pays both is shown to you for review."
          isTicked={settings.checkout_restart}
        />
        <Submit isMain={false}>Save</Submit>
      </SignedForm>
    </Card>
  );
}

function BrandSettings({ settings: { brand } }: Props) {
  const paths = usePaths();
  return (
    <Card title="Brand">
      <SignedForm action={paths('settings/brand')}>
        <TextField
          name="brand.name"
          label="Name at checkout"
          hint="Without one, customers see the name of your business."
          value={brand.name ?? ''}
          maxLength={BRAND_NAME.max}
          isOptional
        />
        <TextField
          name="brand.color"
          label="Colour"
          hint="Buttons at checkout have it where its contrast is high enough. Write it as #1f6feb."
          value={brand.color ?? ''}
          maxLength={7}
          placeholder="#1f6feb"
          isOptional
        />
        <TextField
          name="brand.logo_url"
          label="Address of the logo"
          hint="A PNG, JPEG or WebP of 64 kB at most. It is fetched once, and served from here."
          type="url"
          value={brand.logo_url ?? ''}
          maxLength={MAX_LINK_LENGTH}
          placeholder="https://"
          isOptional
        />
        <Submit isMain={false}>Save</Submit>
      </SignedForm>
    </Card>
  );
}

function InvoiceSettings({ settings }: Props) {
  const paths = usePaths();
  const { min, max } = REMINDER_DAYS;
  return (
    <Card title="Invoices">
      <SignedForm action={paths('settings/invoices')}>
        <TextField
          name="invoice_prefix"
          label="Prefix of numbers"
          hint="Stands before the number of each invoice that is drafted from now on."
          value={settings.invoice_prefix}
          maxLength={12}
          isOptional
        />
        <TextField
          name="reminders"
          label="Reminders, in days after the due date"
          hint={`At most ${MAX_REMINDERS} days from ${min} to ${max}, such as -3, 7. Below zero is before the due date.`}
          value={daysText(settings.reminders)}
          maxLength={60}
          isOptional
        />
        <SelectField
          name="customer_language"
          label="Language of mails to customers"
          hint="Of invoices that are drafted from now on and name no other one."
          value={settings.customer_language}
          options={LANGUAGE_OPTIONS}
        />
        <Submit isMain={false}>Save</Submit>
      </SignedForm>
    </Card>
  );
}

function GeneralSettings({ settings }: Props) {
  const paths = usePaths();
  return (
    <Card title="Time zone and API">
      <SignedForm action={paths('settings/general')}>
        <TextField
          name="time_zone"
          label="Time zone"
          hint="Of the times on these pages and on invoices, such as Europe/Paris."
          value={settings.time_zone}
          maxLength={64}
        />
        <SelectField
          name="api_version"
          label="API version"
          hint="For requests that name none."
          value={settings.api_version}
          options={API_VERSIONS.map(value => ({
            value,
            text: value === NEWEST_API_VERSION ? `${value}, the newest` : value,
          }))}
        />
        <Submit isMain={false}>Save</Submit>
      </SignedForm>
    </Card>
  );
}

type TakeOverProps = Props & { readonly mode: Mode; readonly other: NonNullable<SettingsView['other']> };

/** A copy is taken where it will hold, so that its differences are seen first. */
function TakeOver({ settings, mode, other }: TakeOverProps) {
  const paths = usePaths();
  const { root } = usePage();
  const [own, from] = [MODE_NAMES[mode], MODE_NAMES[other.mode]];
  const differences = differencesOf(settings, other.settings);
  return (
    <Card title={`Settings of ${from}`}>
      {differences.length === 0 ? (
        <p>Both modes have the same settings.</p>
      ) : (
        <>
          <p>
            You can copy all settings of {from} to {own}. These would change:
          </p>
          <Diff label={`Changes in ${own}`} changes={differences} />
          <Confirm
            id="copy"
            action={paths('settings/copy')}
            button={`Copy from ${from} to ${own}`}
            text={<p>The settings of {own} are replaced as shown. Payments that were created already keep theirs.</p>}
            isDanger={false}
          />
          <p>
            For the other way, go to the <a href={pathInMode(root, other.mode, 'settings')}>settings of {from}</a>.
          </p>
        </>
      )}
    </Card>
  );
}
