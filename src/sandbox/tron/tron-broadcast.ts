import { recoverAddress } from 'ethers';
import { SECOND_MS } from '../../kernel/clock';
import { bytes, hash, toQuantity } from '../../platform/chains/evm/rpc-shapes';
import { ProtobufFault } from './protobuf';
import { enveloped, evmForm } from './tron-envelope';
import type { TronIndex } from './tron-index';
import { SUN_PER_ENERGY } from './tron-shapes';
import { decodeCall, MAX_TRANSACTION_BYTES, transactionId } from './tron-transaction';
import type { ContractCall, SignedTransaction } from './tron-transaction';

const REF_BLOCK_SPAN = 0x10000;
const MAX_VALIDITY_MS = 24 * 3_600 * SECOND_MS;
/** TRON charges the bytes of a transaction apart from its energy; the EVM takes both from one limit. */
const BASE_GAS = 100_000;
const MOST_GAS = 20_000_000;

/** Java-tron's codes for a transaction that it does not take, and its sentence. */
export class BroadcastFault extends Error {
  constructor(
    readonly code:
      | 'SIGERROR'
      | 'CONTRACT_VALIDATE_ERROR'
      | 'TRANSACTION_EXPIRATION_ERROR'
      | 'TAPOS_ERROR'
      | 'DUP_TRANSACTION_ERROR'
      | 'TOO_BIG_TRANSACTION_ERROR',
    message: string,
  ) {
    super(message);
  }
}

/**
 * Takes signed TRON transactions as a full node does, and has the node carry them out in the signer's name. The node
 * need not know the signer's key.
 */
export class TronBroadcast {
  private sending: Promise<unknown> = Promise.resolve();

  constructor(private readonly index: TronIndex) {}

  /**
   * Answers the transaction's id. Throws BroadcastFault. Transactions go one after another: each takes the nonce that
   * follows the one before.
   */
  send(signed: SignedTransaction): Promise<string> {
    const sent = this.sending.then(() => this.checkAndSend(signed));
    this.sending = sent.catch(() => undefined);
    return sent;
  }

  private async checkAndSend(signed: SignedTransaction): Promise<string> {
    const id = transactionId(signed.rawData);
    const call = validCall(signed, id);
    const refHeight = await this.refHeight(call);
    await this.checkExpiration(call);
    await this.checkContract(call);
    if (await this.index.knows(id, refHeight)) throw new BroadcastFault('DUP_TRANSACTION_ERROR', 'Dup transaction.');
    await this.index.rpc.call('eth_sendTransaction', [carriedOut(call, signed)], hash);
    return id;
  }

  /** The block that the signer saw; on another branch the transaction does not count. */
  private async refHeight({ refBlockBytes, refBlockHash }: ContractCall): Promise<number> {
    const head = await this.index.height('full');
    const behind = (head - Number.parseInt(refBlockBytes, 16)) & (REF_BLOCK_SPAN - 1);
    const block = behind > head ? null : await this.index.blockAt(head - behind, 'full');
    if (!block || this.index.idOfBlock(block).slice(16, 32) !== refBlockHash)
      throw new BroadcastFault('TAPOS_ERROR', 'Tapos check error.');
    return block.number;
  }

  private async checkExpiration({ expirationMs }: ContractCall): Promise<void> {
    const headMs = ((await this.index.head('full'))?.timestamp ?? 0) * SECOND_MS;
    if (expirationMs <= headMs || expirationMs > headMs + MAX_VALIDITY_MS)
      throw new BroadcastFault('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
  }

  private async checkContract({ contractAddress, callValueSun }: ContractCall): Promise<void> {
    if (callValueSun > 0) throw invalid('the local chain moves tokens only');
    const code = await this.index.rpc.call('eth_getCode', [evmForm(contractAddress), 'latest'], bytes);
    if (code === '0x') throw invalid('No contract or not a valid smart contract');
  }
}

/**
 * The EVM transaction that carries out a TRON one, for the node to send in the owner's name. Its form is that of
 * eth_sendTransaction.
 */
export function carriedOut(call: ContractCall, signed: SignedTransaction): object {
  const gas = Math.min(BASE_GAS + Math.floor(call.feeLimitSun / SUN_PER_ENERGY), MOST_GAS);
  const from = evmForm(call.ownerAddress);
  return {
    from,
    to: evmForm(call.contractAddress),
    data: enveloped(call, signed),
    gas: toQuantity(gas),
    gasPrice: '0x0',
  };
}

function validCall({ rawData, signatures }: SignedTransaction, id: string): ContractCall {
  if (rawData.length > MAX_TRANSACTION_BYTES)
    throw new BroadcastFault('TOO_BIG_TRANSACTION_ERROR', `Transaction size is above ${MAX_TRANSACTION_BYTES}`);
  let call: ContractCall;
  try {
    call = decodeCall(rawData);
  } catch (error) {
    throw error instanceof ProtobufFault ? invalid(error.message) : error;
  }
  const [signature, ...others] = signatures;
  const signer = signature && others.length === 0 ? signerOf(id, signature) : null;
  if (signer !== evmForm(call.ownerAddress))
    throw new BroadcastFault('SIGERROR', 'Validate signature error: not signed by the owner');
  return call;
}

/** The EVM address of the key, in lower case; null where the bytes are no signature. */
function signerOf(id: string, signature: Buffer): string | null {
  try {
    return recoverAddress(`0x${id}`, `0x${signature.toString('hex')}`).toLowerCase();
  } catch {
    return null;
  }
}

function invalid(fault: string): BroadcastFault {
  return new BroadcastFault('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${fault}`);
}
