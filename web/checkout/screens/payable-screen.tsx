import { SECOND_MS } from '../../../src/kernel/clock';
import { Address } from '../../parts/address';
import { TokenAmount } from '../../parts/amount';
import { Copy } from '../../parts/copy';
import { Countdown } from '../../parts/countdown';
import { Icon } from '../../parts/icon';
import { isolated } from '../../parts/isolate';
import { Note } from '../../parts/note';
import { usePage } from '../../parts/page-context';
import { Qr } from '../../parts/qr';
import { BrowserWallet } from './browser-wallet';
import { methodNames } from './checkout-props';
import type { Payable } from './payable';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';

/** An exact amount, an address, and all ways to send the one to the other. */
export function PayableScreen({ view, payable }: { readonly view: CheckoutView; readonly payable: Payable }) {
  const { language } = usePage();
  const { asset, network } = methodNames(view);
  const { amount, price, address, endsMs } = payable;
  const isRemainder = price === null;
  const names = { asset, network: isolated(network), shop: isolated(view.shop.name) };
  return (
    <>
      <MethodLine view={view} payable={payable} />
      <div class="to-send">
        <h2>{language.say(isRemainder ? 'underpaid.amount' : 'awaiting.amount')}</h2>
        <div class="value">
          <TokenAmount amount={amount} price={price} asset={asset} />
          <Copy text={amount} label={language.say('awaiting.copy_amount')} />
        </div>
        <p class="hint">{language.say(isRemainder ? 'underpaid.hint' : 'awaiting.sentence')}</p>
      </div>
      <div class="to-send">
        <h2>{language.say('awaiting.address')}</h2>
        <div class="value">
          <Address address={address} />
          <Copy text={address} label={language.say('awaiting.copy_address')} />
        </div>
      </div>
      <Note tone="warn" icon="triangle-alert">
        <p>{language.say('awaiting.warning', names)}</p>
        <p>{language.say('awaiting.exchange')}</p>
      </Note>
      <Codes payable={payable} />
      <BrowserWallet view={view} payable={payable} />
      <div class="to-send no-print">
        <a class="button wide" href={payable.payUri}>
          <Icon name="external-link" />
          {language.say('awaiting.open_wallet')}
        </a>
        <p class="hint">{language.say('awaiting.code_link_hint')}</p>
      </div>
      <p class="hint">{language.say('awaiting.until', { time: isolated(language.moment(endsMs)) })}</p>
    </>
  );
}

function MethodLine({ view, payable }: { readonly view: CheckoutView; readonly payable: Payable }) {
  const { language } = usePage();
  const { asset, network } = methodNames(view);
  const { startsMs, endsMs } = payable;
  const left = Math.max(0, Math.ceil((endsMs - view.nowMs) / SECOND_MS));
  return (
    <div class="method">
      <span class={`coin ${asset.toLowerCase()}`} aria-hidden="true" />
      <p>
        <strong>{asset}</strong>
        <span>{language.say('awaiting.on_network', { network: isolated(network) })}</span>
      </p>
      <p class="held">
        <span>{language.say(payable.price === null ? 'awaiting.time_left' : 'awaiting.price_held')}</span>
        <Countdown endsMs={endsMs} nowMs={view.nowMs} />
      </p>
      <progress
        data-countdown
        max={Math.max(1, Math.ceil((endsMs - startsMs) / SECOND_MS))}
        value={left}
        aria-label={language.say('awaiting.time_left')}
      />
    </div>
  );
}

/** The plain address comes first: some wallets misread a payment link and pay the token's contract. */
function Codes({ payable }: { readonly payable: Payable }) {
  const { language } = usePage();
  return (
    <fieldset class="codes">
      <legend class="sr">{language.say('awaiting.code_of')}</legend>
      <div class="switch">
        <input type="radio" name="code" id="code-address" checked />
        <label for="code-address">{language.say('awaiting.code_address')}</label>
        <input type="radio" name="code" id="code-link" />
        <label for="code-link">{language.say('awaiting.code_link')}</label>
      </div>
      <div class="code of-address">
        <Qr text={payable.address} label={language.say('awaiting.code_address_label')} />
        <p class="hint">{language.say('awaiting.code_address_hint')}</p>
      </div>
      <div class="code of-link">
        <Qr text={payable.payUri} label={language.say('awaiting.code_link_label')} />
        <p class="hint">{language.say('awaiting.code_link_hint')}</p>
      </div>
    </fieldset>
  );
}
