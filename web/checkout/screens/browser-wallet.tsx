import { Icon } from '../../parts/icon';
import { isolated } from '../../parts/isolate';
import { usePage } from '../../parts/page-context';
import { methodNames } from './checkout-props';
import type { Payable } from './payable';
import { NETWORKS } from '../../../src/vocabulary/networks';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';

const HEX = 16;

/** Wallets inside of the browser, which the page's script offers where it finds one. */
export function BrowserWallet({ view, payable }: { readonly view: CheckoutView; readonly payable: Payable }) {
  const { language } = usePage();
  const { network } = methodNames(view);
  const method = view.payment.payment_method;
  if (!method) return null;
  const { family, chainId } = NETWORKS[method.network_id];
  return (
    <div
      class="wallets no-print"
      hidden
      role="group"
      aria-label={language.say('wallet.group')}
      data-wallet={family}
      data-chain-id={`0x${chainId[view.mode].toString(HEX)}`}
      data-chain-name={network}
      data-contract={method.token_contract}
      data-address={payable.address}
      data-amount={payable.baseUnits}
      data-claim="claim-form"
      data-fallback-name={language.say('wallet.nameless')}
      data-label-connect={language.say('wallet.connect', { wallet: '{wallet}' })}
      data-label-confirm={language.say('wallet.connecting')}
      data-label-wrong-chain={language.say('wallet.wrong_chain', { network: isolated(network) })}
      data-label-rejected={language.say('wallet.rejected')}
      data-label-failed={language.say('wallet.failed')}
      data-label-sent={language.say('wallet.sent')}
    >
      <button type="button" class="button main wide">
        <Icon name="wallet" />
        <span>{language.say('wallet.group')}</span>
      </button>
      <p role="status" class="hint" />
    </div>
  );
}
