import type { WalletResource } from '../../../src/modules/wallets/api/wallets.contract';
import type { WalletProof } from '../../../src/modules/wallets/queries/wallet-proof';
import type { VerificationMethod } from '../../../src/modules/wallets/wallet.events';
import { usePaths } from '../../parts/dashboard-path';
import { SignedForm, Submit } from '../../parts/signed-form';

export type ProofProps = {
  readonly wallet: WalletResource;
  readonly proof: WalletProof;
  /** Milliseconds by the wall's clock, which rules micro-deposits. */
  readonly wallNowMs: number;
};

/** Asks for the same proof again, once the one before has lapsed. */
export function AskAgain({ id, method }: { readonly id: string; readonly method: VerificationMethod }) {
  const paths = usePaths();
  return (
    <SignedForm action={paths(`wallets/${id}/challenge`)}>
      <input type="hidden" name="method" value={method} />
      <Submit>{method === 'micro_deposit' ? 'Ask for a new amount' : 'Ask for a new text'}</Submit>
    </SignedForm>
  );
}
