import { MAX_LINK_LENGTH } from '../../../src/kernel/links';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { TextAreaField, TextField } from '../../parts/fields';
import { Tabs } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import type { LinkKind } from './typed-link';

const BACK = { path: 'links', text: 'Links' } as const;
const TABS = [
  ['fixed', 'Fixed amount'],
  ['open', 'The customer chooses'],
] as const;

/** A link that somebody makes: its amount is fixed, or each customer chooses one. */
export function NewLinkPage({ kind }: { readonly kind: LinkKind }) {
  const paths = usePaths();
  const tabs = TABS.map(([each, text]) => ({
    text,
    href: paths(`links/new?kind=${each}`),
    isCurrent: each === kind,
  }));
  return (
    <DashboardPage title="New link" current="links" back={BACK}>
      <Tabs label="Kinds of links" tabs={tabs} />
      <Card>
        <SignedForm action={paths('links/new')}>
          <input type="hidden" name="kind" value={kind} />
          <TextField
            name="currency"
            label="Currency"
            value="EUR"
            maxLength={3}
            hint="Three letters, as ISO 4217 has it."
          />
          {kind === 'fixed' ? <FixedAmount /> : <Bounds />}
          <Terms />
          <Submit>Make the link</Submit>
        </SignedForm>
      </Card>
    </DashboardPage>
  );
}

const AMOUNT = { keyboard: 'decimal', maxLength: 40 } as const;

function FixedAmount() {
  return <TextField {...AMOUNT} name="amount" label="Amount" placeholder="25.00" />;
}

function Bounds() {
  return (
    <>
      <TextField {...AMOUNT} name="min_amount" label="Least amount" placeholder="5.00" />
      <TextField {...AMOUNT} name="max_amount" label="Greatest amount" placeholder="500.00" />
    </>
  );
}

function Terms() {
  const optional = { isOptional: true } as const;
  return (
    <>
      <TextField {...optional} name="description" label="Description" hint="Customers read this before they pay." />
      <TextField
        {...optional}
        name="max_uses"
        label="Uses at most"
        keyboard="numeric"
        maxLength={15}
        hint="Each payment that is opened counts, whether it is paid or not."
      />
      <TextField
        {...optional}
        name="expires_at"
        type="date"
        label="Last day"
        hint="The link opens no payments after it."
      />
      <TextField
        {...optional}
        name="success_url"
        type="url"
        label="Page after checkout"
        maxLength={MAX_LINK_LENGTH}
        placeholder="https://shop.example/thanks"
        hint="Where it is left out, customers go to the page of your settings."
      />
      <TextAreaField
        {...optional}
        name="metadata"
        label="Metadata"
        maxLength={8_000}
        hint="For your own search; one pair a line, such as event=autumn. Customers never see it."
      />
    </>
  );
}
