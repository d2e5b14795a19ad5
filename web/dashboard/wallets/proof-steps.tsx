import type { ComponentChildren } from 'preact';
import type { VerificationMethod } from '../../../src/modules/wallets/wallet.events';
import { useMay } from '../../parts/dashboard-context';
import { Note } from '../../parts/note';
import { useFault, usePaths } from '../../parts/signed-context';
import { StepList } from '../../parts/step-list';
import { DepositStep } from './deposit-step';
import { ChoiceForm, isDepositSeen, isLapsed, type ProofProps } from './proof-parts';
import { SignatureStep } from './signature-step';

/** The way from a new address to a verified wallet. */
export function ProofSteps(props: ProofProps) {
  const { proof } = props;
  const mayManage = useMay('wallet.manage');
  const isSeen = isDepositSeen(proof);
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
          children: !isSeen && !isLapsed(proof) && <Choice {...props} asked={asked} />,
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
  const fault = useFault();
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
