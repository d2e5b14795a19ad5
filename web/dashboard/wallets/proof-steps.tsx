import type { ComponentChildren } from 'preact';
import type { WalletProof } from '../../../src/modules/wallets/queries/wallet-proof';
import type { VerificationMethod } from '../../../src/modules/wallets/wallet.events';
import { useDashboard, useMay } from '../../parts/dashboard-context';
import { usePaths } from '../../parts/dashboard-path';
import { ChoiceField } from '../../parts/fields';
import { Note } from '../../parts/note';
import { SignedForm, Submit } from '../../parts/signed-form';
import { StepList } from '../../parts/step-list';
import { DepositStep } from './deposit-step';
import type { ProofProps } from './proof-parts';
import { SignatureStep } from './signature-step';

const METHOD_TEXTS: Readonly<Record<VerificationMethod, string>> = {
  signed_message: 'Sign a message: free, and done at once. The wallet signs a text, and no funds move.',
  micro_deposit: 'Send a micro-deposit: a tiny, exact amount from the wallet. For wallets that sign no messages.',
};

/** The way from a new address to a verified wallet. */
export function ProofSteps(props: ProofProps) {
  const { proof } = props;
  const mayManage = useMay('wallet.manage');
  const isSeen = proof.deposit?.status === 'seen';
  const asked = isSeen ? 'micro_deposit' : proof.asked;
  if (!mayManage && !isSeen)
    return <p>An owner of the account has to prove that this wallet is yours. Until then it gets no payments.</p>;
  return (
    <StepList
      label="Steps of the proof"
      steps={[
        { title: 'Add the address', state: 'done' },
        {
          title: 'Choose how to prove it',
          state: asked === null ? 'now' : 'done',
          children: isSeen ? undefined : <Choice {...props} asked={asked} />,
        },
        {
          title: asked === 'micro_deposit' ? 'Send the deposit' : asked === null ? 'Prove it' : 'Sign the message',
          state: asked === null ? 'later' : 'now',
          children: asked !== null && <Asked {...props} asked={asked} />,
        },
      ]}
    />
  );
}

function Asked({ asked, ...props }: ProofProps & { readonly asked: VerificationMethod }): ComponentChildren {
  return asked === 'micro_deposit' ? <DepositStep {...props} /> : <SignatureStep {...props} />;
}

function Choice({ wallet, proof: { methods }, asked }: ProofProps & { readonly asked: VerificationMethod | null }) {
  const paths = usePaths();
  const { fault } = useDashboard();
  if (methods.length === 0)
    return (
      <Note tone="warn" icon="triangle-alert">
        <p>This service can check no proof on this network: ask its operator.</p>
      </Note>
    );
  const form = <ChoiceForm id={wallet.id} methods={methods} asked={asked} />;
  if (asked === null) return form;
  return (
    <details id="another-method" open={fault?.action === paths(`wallets/${wallet.id}/challenge`)}>
      <summary>{methods.length > 1 ? 'Choose another way' : 'Ask anew'}</summary>
      {form}
    </details>
  );
}

type ChoiceFormProps = Pick<WalletProof, 'methods' | 'asked'> & { readonly id: string };

/** Asks for a proof: a new one, or the one that was asked for and has much of its time left. */
function ChoiceForm({ id, methods, asked }: ChoiceFormProps) {
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
