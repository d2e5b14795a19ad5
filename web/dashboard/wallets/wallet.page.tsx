import type { TokenId } from '../../../src/vocabulary/tokens';
import { NETWORKS } from '../../../src/vocabulary/networks';
import { WALLET_LABEL } from '../../../src/modules/wallets/wallet-registration';
import type { WalletResource } from '../../../src/modules/wallets/api/wallets.contract';
import type { WalletProof } from '../../../src/modules/wallets/queries/wallet-proof';
import { Address } from '../../parts/address';
import { Card, Live } from '../../parts/card';
import { Copied } from '../../parts/copied';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { CheckField, TextField } from '../../parts/fields';
import { FaultNote } from '../../parts/note';
import { useFault, usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { TimeOf } from '../../parts/time-of';
import { tokenName } from '../../words/chain-names';
import { isDepositSeen, isLapsed } from './proof-parts';
import { ProofSteps } from './proof-steps';
import { METHOD_NAMES, WalletBadge } from './wallet-words';

export type WalletView = {
  readonly wallet: WalletResource;
  readonly serves: readonly TokenId[];
  /** The proof that is still owed; null once the wallet is verified. */
  readonly proof: WalletProof | null;
};

type WalletPageProps = {
  readonly view: WalletView;
  /** Milliseconds by the wall's clock, which rules micro-deposits. */
  readonly wallNowMs: number;
};

/** A wallet: the way to its proof, and its details. */
export function WalletPage({ view, wallNowMs }: WalletPageProps) {
  const { wallet, proof, serves } = view;
  const mayManage = useMay('wallet.manage');
  const status = proof === null ? 'verified' : 'pending';
  return (
    <DashboardPage
      title={wallet.label}
      current="wallets"
      back={{ path: 'wallets', text: 'Wallets' }}
      actions={
        <Live id="status" said={status === 'verified' ? 'The wallet is verified.' : 'The wallet is not verified.'}>
          <WalletBadge status={status} />
        </Live>
      }
    >
      <HiddenFault proof={proof} />
      <div class="columns">
        <div class="stack">
          <Card liveId="proof" class="proof" title={proof === null ? 'Verified' : 'Prove that this wallet is yours'}>
            {proof === null ? (
              <Verified wallet={wallet} serves={serves} />
            ) : (
              <ProofSteps wallet={wallet} proof={proof} wallNowMs={wallNowMs} />
            )}
          </Card>
          {mayManage && <Details wallet={wallet} />}
        </div>
        <div class="stack">
          <Facts wallet={wallet} serves={serves} />
        </div>
      </div>
    </DashboardPage>
  );
}

/** The reason of a refused form that the page shows no more, such as that of a lapsed text. */
function HiddenFault({ proof }: Pick<WalletView, 'proof'>) {
  const fault = useFault();
  if (fault === null || fault.action.endsWith('/change')) return null;
  const isOver = proof === null || isDepositSeen(proof);
  const isShown = !isOver && (fault.action.endsWith('/challenge') || (proof.signature !== null && !isLapsed(proof)));
  return isShown ? null : <FaultNote text={fault.text} />;
}

function Verified({ wallet: { verification }, serves }: Pick<WalletView, 'wallet' | 'serves'>) {
  const paths = usePaths();
  const mayRoute = useMay('route.manage');
  return (
    <>
      {verification !== null && (
        <p>
          Proved by {METHOD_NAMES[verification.method]}, <TimeOf at={verification.verified_at} />.
        </p>
      )}
      {serves.length > 0 ? (
        <p>Payments in {serves.map(tokenName).join(', ')} go to this wallet.</p>
      ) : (
        <>
          <p>No payment goes to it yet, since no route leads to it.</p>
          {mayRoute && (
            <p>
              <a class="button main" href={paths('routes')}>
                Set a route
              </a>
            </p>
          )}
        </>
      )}
    </>
  );
}

function Facts({ wallet, serves }: Pick<WalletView, 'wallet' | 'serves'>) {
  const { address, network_id: network, dedicated, created, id } = wallet;
  return (
    <Card title="Wallet" liveId="facts">
      <Definitions
        entries={[
          [
            'Address',
            <Copied key="address" text={address} label="Copy the address">
              <Address address={address} />
            </Copied>,
          ],
          ['Network', NETWORKS[network].name],
          ['Receives', serves.length === 0 ? 'Nothing: no route leads to it' : serves.map(tokenName).join(', ')],
          ['Use', dedicated ? 'Dedicated: nothing but payments of this service' : 'Shared with other transfers'],
          ['Private key', 'You hold it, by your own word'],
          ['Added', <TimeOf key="added" at={created} />],
          ['Id', <code key="id">{id}</code>],
        ]}
      />
    </Card>
  );
}

function Details({ wallet: { id, label, dedicated } }: Pick<WalletView, 'wallet'>) {
  const paths = usePaths();
  return (
    <Card title="Label and use">
      <SignedForm action={paths(`wallets/${id}/change`)} asksCode>
        <TextField name="label" label="Label" value={label} maxLength={WALLET_LABEL.max} />
        <CheckField
          name="dedicated"
          label="Dedicated: this wallet receives nothing but payments of this service"
          hint="No other sales, no top-ups of yours, nothing from friends or exchanges."
          isTicked={dedicated}
        />
        <details id="dedicated-risks">
          <summary>What a dedicated wallet does, and its risks</summary>
          <ul class="bullets">
            <li>
              A transfer whose amount is a little off confirms its payment by itself. At a shared wallet, such a payment
              waits for your decision.
            </li>
            <li>
              Never declare a shared wallet dedicated. Whoever can predict another deposit to it could get goods for
              that deposit.
            </li>
            <li>A quote keeps the declaration under which it was made.</li>
          </ul>
        </details>
        <Submit isMain={false}>Save</Submit>
      </SignedForm>
    </Card>
  );
}
