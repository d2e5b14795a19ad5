import { Customer } from '../support/customer';
import type { QuotedPayment } from '../support/merchant';
import { TronCustomer } from '../support/tron-customer';

/** A customer with a wallet. The one way to pay differs by software; the payment tells the rest. */
export type Payer = {
  /** Pays what the payment asks for; answers the transaction's hash. */
  readonly pay: (payment: QuotedPayment) => Promise<string>;
  /** Lets blocks pass faster than the chain's own second a block. */
  readonly mine: (blocks: number) => Promise<void>;
  readonly close: () => Promise<void> | void;
  /** Chooses token and network on the payment's page. Without it, the shop chooses by the API. */
  readonly choose?: (checkoutUrl: string) => Promise<void>;
  /** Sees on the payment's page that it is paid, and answers the lines of its receipt. */
  readonly readReceipt?: () => Promise<readonly string[]>;
};

/** The software by which customers pay: its name, and a customer who uses it. */
export type Software = { readonly name: string; readonly open: (dataFolder: string) => Promise<Payer> };

/** A program pays by the contract, the address and the amount that the API tells. */
function byTerms(wallet: Customer | TronCustomer): Payer {
  return {
    pay: ({ payment_method: method }) =>
      wallet.pay(method.token_contract, method.address, method.token_amount_base_units),
    mine: blocks => wallet.mine(blocks),
    close: () => wallet.close(),
  };
}

export const ETHERS: Software = {
  name: 'ethers',
  open: async dataFolder => byTerms(Customer.onSandbox(dataFolder, 'base')),
};

export const TRONWEB: Software = {
  name: 'tronweb',
  open: async dataFolder => byTerms(await TronCustomer.onSandbox(dataFolder)),
};
