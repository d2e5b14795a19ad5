import { parseIsoTime } from '../../../src/kernel/clock';
import { ERROR_CATALOGUE } from '../../../src/vocabulary/error-catalogue';
import { isPlayable } from '../../../src/modules/sandbox/playable-outcomes';
import { SANDBOX_OUTCOMES } from '../../../src/vocabulary/sandbox-outcomes';
import { NETWORKS } from '../../../src/vocabulary/networks';
import { TokenAmount } from '../../parts/amount';
import { Card } from '../../parts/card';
import { useReader } from '../../parts/dashboard-context';
import { Definitions } from '../../parts/definitions';
import { ChoiceField, TextField } from '../../parts/fields';
import { usePage } from '../../parts/page-context';
import { usePaths } from '../../parts/signed-context';
import { HiddenFault, SignedForm, Submit } from '../../parts/signed-form';
import { TimeOf } from '../../parts/time-of';
import { Standing } from '../payments/payments.page';
import { OUTCOMES } from './simulate-form';
import type { ShownPayment } from './shown-payment';

/** The reason of a refused step of the customer that the payment takes no longer. */
export function RefusedPlay({ payment }: { readonly payment: ShownPayment | null }) {
  const paths = usePaths();
  const others = ['simulate/payments', payment === null ? 'simulate/clock' : `simulate/${payment.id}/clock`];
  const steps = payment === null ? [] : stepsOf(payment).map(step => `simulate/${payment.id}/${step}`);
  return <HiddenFault drawn={[...others, ...steps].map(paths)} />;
}

/** The steps that the customer can take now. */
function stepsOf({ status, offers, toPay }: ShownPayment): readonly ('method' | 'transfer')[] {
  const mayChoose = status === 'created' && offers.some(({ unavailable }) => unavailable === null);
  return [...(mayChoose ? (['method'] as const) : []), ...(toPay !== null ? (['transfer'] as const) : [])];
}

/** The payment that is played, with the next step of its customer. */
export function PlayedPayment({ payment }: { readonly payment: ShownPayment }) {
  const { language, root } = usePage();
  const paths = usePaths();
  const { id, amount, currency, currency_decimals: decimals, status, toPay, description } = payment;
  return (
    <Card title={`Payment of ${language.money(amount, currency, decimals)}`} liveId="played" said={status}>
      <p>
        <Standing {...payment} />
      </p>
      <Definitions
        entries={[
          ['Payment', <code key="id">{id}</code>],
          ...(description === null ? [] : [['For', description] as const]),
          ...(toPay === null ? [] : [['To pay', <ToPay key="pay" toPay={toPay} />] as const]),
        ]}
      />
      {status === 'created' && <Choose payment={payment} />}
      {toPay !== null && <Pay payment={payment} />}
      <p>
        <a href={paths(`payments/${id}`)}>Open the payment</a>, or{' '}
        <a href={`${root}/checkout/${id}`}>see the checkout</a>
      </p>
    </Card>
  );
}

function ToPay({ toPay: { amount, asset, network, until } }: { toPay: NonNullable<ShownPayment['toPay']> }) {
  const { nowMs } = useReader();
  return (
    <>
      <TokenAmount amount={amount} price={null} asset={asset} /> on {NETWORKS[network].name},{' '}
      {parseIsoTime(until) > nowMs ? 'until' : 'price ended'} <TimeOf at={until} />
    </>
  );
}

/** A refusal of a method that cannot be chosen is answered by the form. */
function Choose({ payment: { id, offers } }: { readonly payment: ShownPayment }) {
  const paths = usePaths();
  const open = offers.filter(({ unavailable }) => unavailable === null);
  const [first] = open;
  if (first === undefined) return <NoChoice offers={offers} />;
  return (
    <SignedForm action={paths(`simulate/${id}/method`)}>
      <ChoiceField
        name="token_id"
        label="The customer pays with"
        value={first.tokenId}
        options={open.map(({ tokenId, asset, networkName }) => ({
          value: tokenId,
          text: `${asset} on ${networkName}`,
        }))}
      />
      <Submit>Choose</Submit>
    </SignedForm>
  );
}

/** The reason of each token that cannot be chosen now, such as a network that is read too far behind. */
function NoChoice({ offers }: Pick<ShownPayment, 'offers'>) {
  const { path } = usePage();
  const paths = usePaths();
  if (offers.length === 0)
    return (
      <p>
        No token leads to a wallet yet. <a href={paths('routes')}>Set a route</a> to a verified wallet first.
      </p>
    );
  return (
    <>
      <p>
        No token can be chosen now. <a href={path}>Look again</a>
      </p>
      <ul class="bullets">
        {offers.map(({ tokenId, asset, networkName, unavailable }) => (
          <li key={tokenId}>
            {asset} on {networkName}: {unavailable !== null && ERROR_CATALOGUE[unavailable].title}
          </li>
        ))}
      </ul>
    </>
  );
}

function Pay({ payment: { id, status } }: { readonly payment: ShownPayment }) {
  const paths = usePaths();
  const outcomes = SANDBOX_OUTCOMES.filter(outcome => isPlayable(outcome, status));
  return (
    <SignedForm action={paths(`simulate/${id}/transfer`)}>
      <ChoiceField
        name="outcome"
        label="The customer"
        value="exact"
        options={outcomes.map(outcome => ({ value: outcome, text: OUTCOMES[outcome] }))}
      />
      <TextField
        name="token_amount"
        label="Amount of tokens"
        hint="For too little and too much. Empty: a half of the amount, or one and a half."
        keyboard="decimal"
        maxLength={60}
        isOptional
      />
      <Submit>Play</Submit>
    </SignedForm>
  );
}
