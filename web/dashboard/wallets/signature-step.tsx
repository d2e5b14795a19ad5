import { parseIsoTime } from '../../../src/kernel/clock';
import { familyOf, NETWORKS } from '../../../src/vocabulary/networks';
import { Code } from '../../parts/code';
import { Countdown } from '../../parts/countdown';
import { useReader } from '../../parts/dashboard-context';
import { TextAreaField } from '../../parts/fields';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { addressEnds } from '../../words/chain-names';
import { ChoiceForm, type ProofProps } from './proof-parts';

const FORM = 'proof-form';
const HEX = 16;
/** Longer than any signature of a plain key; that of a contract wallet is longer. */
const SIGNATURE_LENGTH = 10_000;

/** The text to sign, and the field of its signature. */
export function SignatureStep({ wallet, proof }: ProofProps) {
  const { signature } = proof;
  const paths = usePaths();
  const { nowMs } = useReader();
  if (signature === null || signature.lapsed)
    return (
      <>
        <p>The text has lapsed, so its signature proves nothing any more.</p>
        <ChoiceForm id={wallet.id} {...proof} />
      </>
    );
  return (
    <>
      <p>
        Sign this text to the letter by the key of <bdi dir="ltr">{addressEnds(wallet.address)}</bdi>. It can be
        answered for another <Countdown endsMs={parseIsoTime(signature.expires_at)} nowMs={nowMs} />.
      </p>
      <Code label="Text to sign" text={signature.challenge} />
      <BrowserWallet wallet={wallet} challenge={signature.challenge} />
      <SignedForm action={paths(`wallets/${wallet.id}/verify`)} id={FORM} asksCode>
        <TextAreaField
          name="signature"
          label="Signature"
          hint={
            familyOf(wallet.network_id) === 'tron'
              ? 'Paste the hex digits that your wallet makes of the text by signMessageV2.'
              : 'Paste the hex digits, after 0x, that your wallet makes of the text by “sign message” or personal_sign.'
          }
          maxLength={SIGNATURE_LENGTH}
        />
        <Submit>Check the signature</Submit>
      </SignedForm>
    </>
  );
}

/** Wallets inside of the browser, which the page's script offers where it finds one. */
function BrowserWallet({ wallet, challenge }: Pick<ProofProps, 'wallet'> & { readonly challenge: string }) {
  const { mode } = useReader();
  const { address, network_id: network } = wallet;
  const { family, chainId, name } = NETWORKS[network];
  return (
    <div
      class="form no-print"
      hidden
      role="group"
      aria-label="Sign by a wallet of this browser"
      data-wallet={family}
      data-chain-id={`0x${chainId[mode].toString(HEX)}`}
      data-address={address}
      data-message={challenge}
      data-sign={FORM}
      data-fallback-name="your browser’s wallet"
      data-label-connect="Sign with {wallet}"
      data-label-confirm="Confirm in the wallet."
      data-label-wrong-chain={`The wallet is on another network. Switch it to ${name}, then try again.`}
      data-label-wrong-account={`The wallet shows another account. Choose ${addressEnds(address)} there, then try again.`}
      data-label-rejected="The wallet has rejected it. Nothing was signed."
      data-label-failed="The wallet did not sign. Try again, or paste a signature."
      data-label-sent="Signed. Type the code of your authenticator, then check the signature."
    >
      <button type="button" class="button main" />
      <p role="status" />
    </div>
  );
}
