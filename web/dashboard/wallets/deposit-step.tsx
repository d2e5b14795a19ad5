import { parseIsoTime } from '../../../src/kernel/clock';
import { formatTokenAmount, TOKENS } from '../../../src/vocabulary/tokens';
import { NETWORKS } from '../../../src/vocabulary/networks';
import type { AskedDeposit } from '../../../src/modules/wallets/queries/wallet-proof';
import { Address, Hash } from '../../parts/address';
import { TokenAmount } from '../../parts/amount';
import { Copied } from '../../parts/copied';
import { Countdown } from '../../parts/countdown';
import { Definitions } from '../../parts/definitions';
import { LookAgain } from '../../parts/newest';
import { Note } from '../../parts/note';
import { usePage } from '../../parts/page-context';
import { Qr } from '../../parts/qr';
import { addressEnds } from '../../words/chain-names';
import { ChoiceForm, type ProofProps } from './proof-parts';

const DROPPED: Readonly<Record<NonNullable<AskedDeposit['dropped']>, string>> = {
  reorged_out: 'The deposit that was seen has left the chain again, so it does not count.',
  reverted: 'The transaction that was seen has failed on the chain, so it does not count.',
  verification_failed: 'The transfer that was seen is not the one asked for, so it does not count.',
};

/** The amount to send, or where the deposit stands. */
export function DepositStep(props: ProofProps) {
  const { wallet, proof } = props;
  const { deposit } = proof;
  if (deposit?.status === 'seen') return <Seen deposit={deposit} />;
  return (
    <>
      {deposit !== null && deposit.dropped !== null && (
        <Note tone="warn" icon="triangle-alert">
          <p>{DROPPED[deposit.dropped]}</p>
        </Note>
      )}
      {deposit?.status === 'open' ? (
        <Awaited {...props} deposit={deposit} />
      ) : (
        <>
          <p>
            No such deposit was seen in time: do not send it any more. A deposit that was sent in time still counts, and
            shows here once it is seen. Otherwise ask anew.
          </p>
          <ChoiceForm id={wallet.id} {...proof} />
        </>
      )}
    </>
  );
}

function Awaited({ wallet, wallNowMs, deposit }: ProofProps & { readonly deposit: AskedDeposit }) {
  const { path } = usePage();
  const { address, token_id: tokenId, amount_base_units: units, expires_at: expiresAt } = deposit;
  const token = TOKENS[tokenId];
  const amount = formatTokenAmount(token, units);
  return (
    <div class="deposit">
      <p>
        From <bdi dir="ltr">{addressEnds(wallet.address)}</bdi> and from no other address, send exactly this amount on{' '}
        {NETWORKS[token.network].name}, within <Countdown endsMs={parseIsoTime(expiresAt)} nowMs={wallNowMs} />.
      </p>
      <Definitions
        entries={[
          [
            'Exact amount; network fees come on top',
            <Copied key="amount" text={amount} label="Copy the amount">
              <TokenAmount amount={amount} price={null} asset={token.asset} />
            </Copied>,
          ],
          [
            'To',
            <Copied key="to" text={address} label="Copy the address to send to">
              <Address address={address} />
            </Copied>,
          ],
        ]}
      />
      <Qr text={address} label="The address to send to, as a code to scan" />
      <p class="label">
        The deposit is this proof’s price: it is not paid back. This page follows it until it is final.
      </p>
      <LookAgain path={path} />
    </div>
  );
}

function Seen({ deposit: { transfer } }: { readonly deposit: AskedDeposit }) {
  const { path } = usePage();
  return (
    <>
      <Note tone="info" icon="eye">
        <p>
          <strong>The deposit is seen.</strong> The wallet is verified once the network makes it final. This page
          follows it, and you can close it.
        </p>
      </Note>
      {transfer !== null && (
        <Definitions
          entries={[
            ['Transaction', <Hash key="hash" hash={transfer.tx_hash} />],
            ['Block', transfer.block_number],
          ]}
        />
      )}
      <LookAgain path={path} />
    </>
  );
}
