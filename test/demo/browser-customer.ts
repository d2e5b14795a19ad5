import { CheckoutCustomer } from '../web/checkout-customer';
import { launchBrowser } from '../web/chromium';
import { stubEvmWallet, stubTronWallet } from '../web/stub-wallets';
import { Visit } from '../web/visit';
import { Customer } from '../support/customer';
import { TronCustomer } from '../support/tron-customer';
import type { Software } from './customers';
import type { Market } from './sale';

const STEP_LIMIT_MS = 30_000;
const EVM_WALLET = 'Demo Wallet';
const TRON_WALLET = 'TronLink';
/** The chain id of Base's test network, which the local chain has too. */
const BASE_CHAIN_ID = '0x14a34';
/** The call data of a token's transfer: a selector of four bytes, then two words of 32 in hexadecimal digits. */
const ADDRESS_AT = 34;
const AMOUNT_AT = 74;

type Wallet = {
  readonly name: string;
  readonly mine: (blocks: number) => Promise<void>;
  readonly close: () => Promise<void> | void;
};
type Sent = (txHash: string) => string;

/** A customer who pays by the payment's page alone, with a wallet inside of a real browser. */
export function browserOn({ network, asset, name }: Pick<Market, 'network' | 'asset' | 'name'>): Software {
  const open: Software['open'] = async dataFolder => {
    const browser = await launchBrowser();
    const visit = await Visit.start(browser);
    const customer = new CheckoutCustomer(visit);
    let sent: Sent = txHash => txHash;
    const paid = new Promise<string>(resolve => (sent = txHash => (resolve(txHash), txHash)));
    const walletOf = network === 'tron' ? tronWallet : evmWallet;
    const wallet = await walletOf(visit, dataFolder, txHash => sent(txHash));
    return {
      choose: url => customer.choose(url, asset, name),
      pay: async () => {
        await customer.payWith(wallet.name);
        return paid;
      },
      mine: blocks => wallet.mine(blocks),
      readReceipt: async () => {
        await customer.seesTitle('Paid', STEP_LIMIT_MS);
        return customer.openReceipt();
      },
      close: async () => {
        await browser.close();
        await wallet.close();
      },
    };
  };
  return { name: 'a wallet in Chromium, on the payment’s page', open };
}

async function evmWallet(visit: Visit, dataFolder: string, sent: Sent): Promise<Wallet> {
  const owner = Customer.onSandbox(dataFolder, 'base');
  await stubEvmWallet(visit, {
    name: EVM_WALLET,
    address: await owner.address,
    chainId: BASE_CHAIN_ID,
    send: async ({ to = '', data = '' }) => {
      const address = `0x${data.slice(ADDRESS_AT, AMOUNT_AT)}`;
      return sent(await owner.pay(to, address, BigInt(`0x${data.slice(AMOUNT_AT)}`).toString()));
    },
  });
  return { name: EVM_WALLET, mine: blocks => owner.mine(blocks), close: () => owner.close() };
}

async function tronWallet(visit: Visit, dataFolder: string, sent: Sent): Promise<Wallet> {
  const owner = await TronCustomer.onSandbox(dataFolder);
  await stubTronWallet(visit, {
    address: owner.address,
    chainId: '0xcd8690dc',
    answers: { getBlock: ([height]) => owner.tronWeb.trx.getBlock(Number(height)) },
    send: async ([contract, , , parameters]) => {
      const [to = '', amount = ''] = (parameters as readonly { value: string }[]).map(({ value }) => value);
      return sent(await owner.pay(String(contract), to, amount));
    },
  });
  return { name: TRON_WALLET, mine: blocks => owner.mine(blocks), close: () => owner.close() };
}
