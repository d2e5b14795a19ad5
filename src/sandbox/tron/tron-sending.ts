import { getBytes, SigningKey } from 'ethers';
import type { Clock } from '../../kernel/clock';
import type { Rpc } from '../../platform/chains/evm/json-rpc';
import { toQuantity } from '../../platform/chains/evm/rpc-shapes';
import type { OnSigned, SandboxCall, SandboxSending, SentCall } from '../sandbox-sending';
import { buildCall } from './contract-api';
import { evmBlock } from './evm-records';
import { carriedOut, TronBroadcast } from './tron-broadcast';
import { openEnvelope, tronForm } from './tron-envelope';
import { noFaults } from './tron-faults';
import { TronIndex } from './tron-index';
import { SUN_PER_ENERGY } from './tron-shapes';
import { decodeCall, decodeSigned, encodeCall, encodeSigned, transactionId } from './tron-transaction';

/** Signs as TRON accounts do, and gives the chain the same transaction as a full node would. */
export class TronSending implements SandboxSending {
  private readonly index: TronIndex;
  private readonly broadcast: TronBroadcast;
  private sending: Promise<unknown> = Promise.resolve();
  private lastMs = 0;

  constructor(
    private readonly rpc: Rpc,
    private readonly clock: Clock,
  ) {
    this.index = new TronIndex(rpc, noFaults());
    this.broadcast = new TronBroadcast(this.index);
  }

  /** Calls go one after another, so that they are taken in the order in which they were sent. */
  send(call: SandboxCall, onSigned?: OnSigned): Promise<string> {
    const sent = this.sending.then(() => this.signAndSend(call, onSigned));
    this.sending = sent.catch(() => undefined);
    return sent;
  }

  async sentCall(id: string): Promise<SentCall | null> {
    const call = (await this.index.waiting(id)) ?? (await this.index.evmTransaction(id));
    const opened = call && openEnvelope(call);
    return opened && { txHash: opened.id, data: `0x${opened.call.data}` };
  }

  async rawTransaction(id: string): Promise<string | null> {
    const transaction = await this.index.evmTransaction(id);
    const opened = transaction && openEnvelope(transaction);
    return opened ? `0x${encodeSigned(opened.signed).toString('hex')}` : null;
  }

  async transactionsAt(height: number): Promise<readonly string[]> {
    const block = await this.rpc.call('eth_getBlockByNumber', [toQuantity(height), true], evmBlock.nullable());
    return (block?.transactions ?? []).flatMap(transaction => openEnvelope(transaction)?.id ?? []);
  }

  /**
   * The node has no signature of its own for the call. So the node takes the call in the owner's name, as when the call
   * was sent.
   */
  resendable(rawTransaction: string): object {
    const signed = decodeSigned(Buffer.from(rawTransaction.slice(2), 'hex'));
    return carriedOut(decodeCall(signed.rawData), signed);
  }

  private async signAndSend({ account, to, data, gas }: SandboxCall, onSigned?: OnSigned): Promise<string> {
    const built = await buildCall(this.index, this.clock, {
      ownerAddress: tronForm(account.address),
      contractAddress: tronForm(to),
      data: data.slice(2),
      feeLimitSun: gas * SUN_PER_ENERGY,
      callValueSun: 0,
    });
    // The same transfer twice within a millisecond would be the same transaction.
    this.lastMs = Math.max(built.timestampMs, this.lastMs + 1);
    const rawData = encodeCall({ ...built, timestampMs: this.lastMs });
    const id = transactionId(rawData);
    const { serialized } = new SigningKey(account.privateKey).sign(`0x${id}`);
    await onSigned?.(id);
    return this.broadcast.send({ rawData, signatures: [Buffer.from(getBytes(serialized))] });
  }
}
