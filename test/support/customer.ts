import { Contract, HDNodeWallet, JsonRpcProvider, NonceManager } from 'ethers';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DEVELOPMENT_KEY } from '../../src/sandbox/sandbox-accounts';

const PAYER_INDEX = 0;
const MERCHANT_INDEX = 5;
const TRANSFER_ABI = ['function transfer(address to, uint256 value) returns (bool)'];

const derived = new Map<number, HDNodeWallet>();

export function developmentWallet(index: number): HDNodeWallet {
  const known = derived.get(index);
  if (known) return known;
  const wallet = (HDNodeWallet.fromExtendedKey(DEVELOPMENT_KEY) as HDNodeWallet).deriveChild(index);
  derived.set(index, wallet);
  return wallet;
}

/** The owner of a receiving address: the service never sees the key, only its signatures. */
export type WalletOwner = {
  readonly address: string;
  signMessage(message: string): Promise<string>;
};

/** The merchant's own wallet on EVM networks. */
export const merchantWallet = (): WalletOwner => developmentWallet(MERCHANT_INDEX);

/** A customer with a wallet and tokens on the local chain. */
export class Customer {
  private readonly signer: NonceManager;
  /** The transfer under way: a nonce is given once the one before has been sent. */
  private sending: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly provider: JsonRpcProvider,
    accountIndex: number,
  ) {
    this.signer = new NonceManager(developmentWallet(accountIndex).connect(provider));
  }

  static onSandbox(dataFolder: string, network: 'base' | 'bnb', accountIndex = PAYER_INDEX): Customer {
    const state = JSON.parse(readFileSync(path.join(dataFolder, `sandbox-${network}.json`), 'utf8')) as {
      port: number;
    };
    const url = `http://127.0.0.1:${state.port}`;
    const settings = { polling: true, staticNetwork: true, cacheTimeout: -1 };
    return new Customer(new JsonRpcProvider(url, undefined, settings), accountIndex);
  }

  get address(): Promise<string> {
    return this.signer.getAddress();
  }

  /** Really signs and sends a token transfer; answers the transaction's hash. */
  pay(contract: string, to: string, baseUnits: string): Promise<string> {
    const sent = this.sending.then(() => this.send(contract, to, baseUnits));
    this.sending = sent.catch(() => undefined);
    return sent;
  }

  private async send(contract: string, to: string, baseUnits: string): Promise<string> {
    const token = new Contract(contract, TRANSFER_ABI, this.signer);
    try {
      const sent = (await token.getFunction('transfer')(to, BigInt(baseUnits))) as { hash: string };
      return sent.hash;
    } catch (error) {
      // The nonce of a transfer that was not sent is free: with a gap none behind it would ever be mined.
      this.signer.reset();
      throw error;
    }
  }

  /** Lets blocks pass faster than the chain's own second a block. */
  async mine(blocks: number): Promise<void> {
    await this.provider.send('anvil_mine', [`0x${blocks.toString(16)}`]);
  }

  close(): void {
    this.provider.destroy();
  }
}
