import { keccak256, Wallet } from 'ethers';
import { z } from 'zod';
import type { Rpc } from '../platform/chains/evm/json-rpc';
import { bytes, hash, quantity, toQuantity } from '../platform/chains/evm/rpc-shapes';
import type { OnSigned, SandboxCall, SandboxSending, SentCall } from './sandbox-sending';

/** A hundred times the fee of an empty local chain, so a transaction is never left behind. */
const MAX_FEE_WEI = 100_000_000_000;
const PRIORITY_FEE_WEI = 1_000_000_000;
/** The most transactions in one block of the local chain. */
const MAX_TRANSACTIONS = 10_000;

const sentTransaction = z.object({ hash, input: bytes }).nullable();
const blockOfHashes = z.object({ transactions: z.array(hash).max(MAX_TRANSACTIONS) }).nullable();

export class EvmSending implements SandboxSending {
  private sending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly rpc: Rpc,
    private readonly chainId: number,
  ) {}

  /** Calls go one after another: each takes the nonce that follows the one before. */
  send(call: SandboxCall, onSigned?: OnSigned): Promise<string> {
    const sent = this.sending.then(() => this.signAndSend(call, onSigned));
    this.sending = sent.catch(() => undefined);
    return sent;
  }

  async sentCall(txHash: string): Promise<SentCall | null> {
    const call = await this.rpc.call('eth_getTransactionByHash', [txHash], sentTransaction);
    return call && { txHash: call.hash, data: call.input };
  }

  rawTransaction(txHash: string): Promise<string | null> {
    return this.rpc.call('eth_getRawTransactionByHash', [txHash], z.string().nullable());
  }

  async transactionsAt(height: number): Promise<readonly string[]> {
    const block = await this.rpc.call('eth_getBlockByNumber', [toQuantity(height), false], blockOfHashes);
    return block?.transactions ?? [];
  }

  resendable(rawTransaction: string): string {
    return rawTransaction;
  }

  private async signAndSend({ account, to, data, gas, wei = 0n }: SandboxCall, onSigned?: OnSigned): Promise<string> {
    const nonce = await this.rpc.call('eth_getTransactionCount', [account.address, 'pending'], quantity);
    const fees = { maxFeePerGas: MAX_FEE_WEI, maxPriorityFeePerGas: PRIORITY_FEE_WEI };
    const transaction = { type: 2, chainId: this.chainId, nonce, to, data, value: wei, gasLimit: gas, ...fees };
    const signed = await new Wallet(account.privateKey).signTransaction(transaction);
    await onSigned?.(keccak256(signed));
    return this.rpc.call('eth_sendRawTransaction', [signed], hash);
  }
}
