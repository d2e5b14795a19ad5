import type { WalletResource } from '../../../src/modules/wallets/api/wallets.contract';
import type { WalletProof } from '../../../src/modules/wallets/queries/wallet-proof';
import type { VerificationMethod } from '../../../src/modules/wallets/wallet.events';
import { ChoiceField } from '../../parts/fields';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';

export type ProofProps = {
  readonly wallet: WalletResource;
  readonly proof: WalletProof;
  /** Milliseconds by the wall's clock, which rules micro-deposits. */
  readonly wallNowMs: number;
};

/** Whether a deposit is on its way to being final: then nothing more is asked for. */
export function isDepositSeen({ deposit }: WalletProof): boolean {
  return deposit?.status === 'seen';
}

/** Whether the proof that was asked for can be given no more. */
export function isLapsed({ asked, signature, deposit }: WalletProof): boolean {
  if (asked === 'signed_message') return signature === null || signature.lapsed;
  return asked === 'micro_deposit' && (deposit === null || deposit.status === 'lapsed');
}

const METHOD_TEXTS: Readonly<Record<VerificationMethod, string>> = {
  signed_message: 'Sign a message: free, and done at once. The wallet signs a text, and no funds move.',
  micro_deposit: 'Send a micro-deposit: a tiny, exact amount from the wallet. For wallets that sign no messages.',
};

type ChoiceFormProps = Pick<WalletProof, 'methods' | 'asked'> & { readonly id: string };

/** Asks for a proof: a new one, or the one that was asked for and has much of its time left. */
export function ChoiceForm({ id, methods, asked }: ChoiceFormProps) {
  const paths = usePaths();
  const chosen = asked !== null && methods.includes(asked) ? asked : methods[0];
  return (
    <SignedForm action={paths(`wallets/${id}/challenge`)}>
      <ChoiceField
        name="method"
        label="Way of the proof"
        options={methods.map(method => ({ value: method, text: METHOD_TEXTS[method] }))}
        value={chosen}
      />
      <Submit isMain={asked === null}>{asked === null ? 'Go on' : 'Ask anew'}</Submit>
    </SignedForm>
  );
}
