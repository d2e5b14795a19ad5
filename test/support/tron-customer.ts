import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { z } from 'zod';
import type { Log } from '../../src/kernel/ports/log';
import { JsonRpc } from '../../src/platform/chains/evm/json-rpc';
import { toQuantity } from '../../src/platform/chains/evm/rpc-shapes';
import { TronFacade } from '../../src/sandbox/tron-facade';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { developmentWallet, type WalletOwner } from './customer';

const PAYER_INDEX = 2;
const FEE_LIMIT_SUN = 100_000_000;
const RPC_TIMEOUT_MS = 5_000;
const NO_LOG: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Signing asks no node. */
const NO_NODE = 'http://127.0.0.1:9';

type Broadcast = { readonly result?: boolean; readonly code?: string; readonly txid?: string };

/** The owner of the account's TRON address, who signs as wallets do: by TRON's own library. */
export function tronOwner(accountIndex: number): WalletOwner {
  const privateKey = developmentWallet(accountIndex).privateKey.slice(2);
  const { defaultAddress, trx } = new TronWeb({ fullHost: NO_NODE, privateKey });
  const { base58 } = defaultAddress;
  if (base58 === false) throw new Error('the owner has no key');
  return { address: base58, signMessage: message => Promise.resolve(trx.signMessageV2(message)) };
}

/**
 * A customer with a TRON wallet and tokens on the local chain. The customer pays as wallets do: by TRON's own library,
 * through a full node's interface.
 */
export class TronCustomer {
  private constructor(
    readonly tronWeb: TronWeb,
    private readonly node: JsonRpc,
    private readonly facade: TronFacade,
  ) {}

  static async onSandbox(dataFolder: string, accountIndex = PAYER_INDEX): Promise<TronCustomer> {
    const file = path.join(dataFolder, 'sandbox-tron.json');
    const { port } = JSON.parse(readFileSync(file, 'utf8')) as { port: number };
    return TronCustomer.onNode(`http://127.0.0.1:${port}`, accountIndex);
  }

  /** A facade of the customer's own before the local chain's node: it is as good as the service's. */
  static async onNode(rpcUrl: string, accountIndex = PAYER_INDEX): Promise<TronCustomer> {
    const facade = await TronFacade.start({ rpcUrl, clock: new SystemClock(), log: NO_LOG });
    const privateKey = developmentWallet(accountIndex).privateKey.slice(2);
    return new TronCustomer(
      new TronWeb({ fullHost: facade.url, privateKey }),
      new JsonRpc(rpcUrl, RPC_TIMEOUT_MS),
      facade,
    );
  }

  get address(): string {
    const { base58 } = this.tronWeb.defaultAddress;
    if (base58 === false) throw new Error('the customer has no key');
    return base58;
  }

  /** Really builds, signs and broadcasts a token transfer; the transaction's id. */
  async pay(contract: string, to: string, baseUnits: string): Promise<string> {
    const parameters = [
      { type: 'address', value: to },
      { type: 'uint256', value: baseUnits },
    ];
    const { transaction } = await this.tronWeb.transactionBuilder.triggerSmartContract(
      contract,
      'transfer(address,uint256)',
      { feeLimit: FEE_LIMIT_SUN },
      parameters,
    );
    const signed = await this.tronWeb.trx.sign(transaction);
    const sent = (await this.tronWeb.trx.sendRawTransaction(signed)) as Broadcast;
    if (sent.result !== true || sent.txid === undefined) throw new Error(`not taken: ${sent.code ?? 'no code'}`);
    return sent.txid;
  }

  /** Lets blocks pass faster than the chain's own second a block. */
  async mine(blocks: number): Promise<void> {
    await this.node.call('anvil_mine', [toQuantity(blocks)], z.null());
  }

  /** The chain makes a block by itself after so many seconds; never for 0. */
  async makeBlocksEvery(seconds: number): Promise<void> {
    await this.node.call('anvil_setIntervalMining', [seconds], z.null());
  }

  close(): Promise<void> {
    return this.facade.close();
  }
}
