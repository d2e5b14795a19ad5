import { WALLET_LABEL } from '../../../src/modules/wallets/wallet-registration';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { CheckField, ChoiceField, TextField } from '../../parts/fields';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { StepList } from '../../parts/step-list';
import { NETWORK_OPTIONS } from './wallet-words';
import { EmptyExchangeList } from './wallets.page';

/** Takes the address of a wallet. */
export function NewWalletPage({ hasEmptyExchangeList }: { readonly hasEmptyExchangeList: boolean }) {
  const paths = usePaths();
  return (
    <DashboardPage title="Add a wallet" current="wallets" back={{ path: 'wallets', text: 'Wallets' }}>
      {hasEmptyExchangeList && <EmptyExchangeList />}
      <div class="columns">
        <Card>
          <SignedForm action={paths('wallets/new')} asksCode>
            <ChoiceField name="network_id" label="Network" options={NETWORK_OPTIONS} />
            <TextField
              name="address"
              label="Address"
              hint="Copy it from your wallet. On TRON it starts with T, elsewhere with 0x."
              maxLength={64}
            />
            <TextField name="label" label="Label" hint="Your name for the wallet." maxLength={WALLET_LABEL.max} />
            <CheckField
              name="controls_private_key"
              label="I hold the private key of this address"
              hint="No exchange and nobody else holds it. An address at an exchange is not yours: the exchange may change it, or credit nobody for a payment."
            />
            <Submit>Add the wallet</Submit>
          </SignedForm>
        </Card>
        <div class="stack">
          <Card title="The way to the first payment">
            <StepList
              label="Steps"
              steps={[
                { title: 'Add the address', state: 'now' },
                { title: 'Prove that it is yours', state: 'later' },
                { title: 'Set a route to it', state: 'later' },
              ]}
            />
            <p class="label">A wallet gets no payments before it is verified and has a route.</p>
          </Card>
        </div>
      </div>
    </DashboardPage>
  );
}
