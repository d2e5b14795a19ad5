import {
  decodeCall,
  decodeSigned,
  encodeSigned,
  transactionId,
  type ContractCall,
  type SignedTransaction,
} from './tron-transaction';
import { ProtobufFault } from './protobuf';

/** The mark ends an input that carries a TRON transaction; contracts ignore bytes after their arguments. */
const MARK = Buffer.from('TRON');
const LENGTH_BYTES = 2;

export type Enveloped = { readonly id: string; readonly call: ContractCall; readonly signed: SignedTransaction };
type EvmCall = { readonly from: string; readonly to: string | null; readonly input: string };

/**
 * The input of the EVM transaction that carries out a TRON one: its data, then the whole signed transaction. So the
 * chain itself remembers which TRON transaction it took in, and neither a restart nor a reorganisation changes the id.
 */
export function enveloped(call: ContractCall, signed: SignedTransaction): string {
  const transaction = encodeSigned(signed);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(transaction.length);
  return `0x${call.data}${Buffer.concat([transaction, length, MARK]).toString('hex')}`;
}

/** Null for an EVM transaction that carries no TRON transaction, or another than it carries out. */
export function openEnvelope({ from, to, input }: EvmCall): Enveloped | null {
  const bytes = Buffer.from(input.slice(2), 'hex');
  const lengthAt = bytes.length - MARK.length - LENGTH_BYTES;
  if (lengthAt < 0 || !bytes.subarray(lengthAt + LENGTH_BYTES).equals(MARK)) return null;
  const start = lengthAt - bytes.readUInt16BE(lengthAt);
  if (start < 0) return null;
  try {
    const signed = decodeSigned(bytes.subarray(start, lengthAt));
    const call = decodeCall(signed.rawData);
    const isCarriedOut =
      call.data === bytes.subarray(0, start).toString('hex') &&
      evmForm(call.ownerAddress) === from.toLowerCase() &&
      evmForm(call.contractAddress) === to?.toLowerCase();
    return isCarriedOut ? { id: transactionId(signed.rawData), call, signed } : null;
  } catch (error) {
    if (error instanceof ProtobufFault) return null;
    throw error;
  }
}

/** 0x and the 20 bytes of an address of 41 and 40 hex digits. */
export function evmForm(tronHex: string): string {
  return `0x${tronHex.slice(2)}`;
}

/** 41 and the 20 bytes of an EVM address. */
export function tronForm(evmAddress: string): string {
  return `41${evmAddress.slice(2).toLowerCase()}`;
}
