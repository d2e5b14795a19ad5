import { createHash } from 'node:crypto';
import { decodeMessage, encodeMessage, ProtobufFault, type Field } from './protobuf';

/** The number of TriggerSmartContract among the contract types. */
const CONTRACT_TYPE = 31;
const TYPE_URL = 'type.googleapis.com/protocol.TriggerSmartContract';
/** A hundred times the size of a token transfer. */
export const MAX_TRANSACTION_BYTES = 32 * 1_024;
const REF_BYTES = 2;
const REF_HASH_BYTES = 8;
const ADDRESS_BYTES = 21;
const ADDRESS_PREFIX = 0x41;

/**
 * The call of a contract as a TRON account signs it. Hex has no 0x; addresses are 41 and 40 digits; times are
 * milliseconds.
 */
export type ContractCall = {
  readonly ownerAddress: string;
  readonly contractAddress: string;
  readonly data: string;
  /** Two low bytes of the number of a recent block, and bytes 8 to 16 of its id. */
  readonly refBlockBytes: string;
  readonly refBlockHash: string;
  readonly expirationMs: number;
  readonly timestampMs: number;
  readonly feeLimitSun: number;
  /** A note in hex, empty for none. */
  readonly memo: string;
  readonly callValueSun: number;
};

export type SignedTransaction = { readonly rawData: Buffer; readonly signatures: readonly Buffer[] };

/** The id is the hash of the signed bytes, so it is the same wherever the transaction is taken in. */
export function transactionId(rawData: Buffer): string {
  return createHash('sha256').update(rawData).digest('hex');
}

export function encodeCall(call: ContractCall): Buffer {
  const trigger = encodeMessage([
    bytes(1, call.ownerAddress),
    bytes(2, call.contractAddress),
    { number: 3, value: call.callValueSun },
    bytes(4, call.data),
  ]);
  const parameter = encodeMessage([
    { number: 1, value: Buffer.from(TYPE_URL) },
    { number: 2, value: trigger },
  ]);
  const contract = encodeMessage([
    { number: 1, value: CONTRACT_TYPE },
    { number: 2, value: parameter },
  ]);
  return encodeMessage([
    bytes(1, call.refBlockBytes),
    bytes(4, call.refBlockHash),
    { number: 8, value: call.expirationMs },
    bytes(10, call.memo),
    { number: 11, value: contract },
    { number: 14, value: call.timestampMs },
    { number: 18, value: call.feeLimitSun },
  ]);
}

/** Throws ProtobufFault unless the bytes are one account's call of a contract with the fields of this type. */
export function decodeCall(rawData: Buffer): ContractCall {
  const raw = decodeMessage(rawData);
  const contract = decodeMessage(bytesOf(raw, 11));
  const parameter = decodeMessage(bytesOf(contract, 2));
  if (numberOf(contract, 1) !== CONTRACT_TYPE) throw new ProtobufFault('not a TriggerSmartContract');
  const trigger = decodeMessage(bytesOf(parameter, 2));
  const call: ContractCall = {
    ownerAddress: addressOf(trigger, 1),
    contractAddress: addressOf(trigger, 2),
    callValueSun: numberOf(trigger, 3),
    data: bytesOf(trigger, 4).toString('hex'),
    refBlockBytes: bytesOf(raw, 1, REF_BYTES).toString('hex'),
    refBlockHash: bytesOf(raw, 4, REF_HASH_BYTES).toString('hex'),
    expirationMs: numberOf(raw, 8),
    memo: bytesOf(raw, 10).toString('hex'),
    timestampMs: numberOf(raw, 14),
    feeLimitSun: numberOf(raw, 18),
  };
  if (!encodeCall(call).equals(rawData)) throw new ProtobufFault('fields that the local chain does not carry out');
  return call;
}

export function encodeSigned({ rawData, signatures }: SignedTransaction): Buffer {
  return encodeMessage([
    { number: 1, value: rawData },
    ...signatures.map((signature): Field => ({ number: 2, value: signature })),
  ]);
}

/** Throws ProtobufFault. A result that a wallet wrote into it is left out: the chain alone tells the result. */
export function decodeSigned(transaction: Buffer): SignedTransaction {
  const fields = decodeMessage(transaction);
  const signatures = fields.filter(({ number }) => number === 2).map(({ value }) => value);
  if (!signatures.every(Buffer.isBuffer)) throw new ProtobufFault('a signature is a number');
  return { rawData: bytesOf(fields, 1), signatures };
}

/** The call as java-tron shows it within a transaction. */
export function rawDataJson(call: ContractCall, address: (hex: string) => string): object {
  const { ownerAddress, contractAddress, data, callValueSun, memo } = call;
  const value = {
    ...(data && { data }),
    owner_address: address(ownerAddress),
    contract_address: address(contractAddress),
    ...(callValueSun > 0 && { call_value: callValueSun }),
  };
  return {
    contract: [{ parameter: { value, type_url: TYPE_URL }, type: 'TriggerSmartContract' }],
    ref_block_bytes: call.refBlockBytes,
    ref_block_hash: call.refBlockHash,
    expiration: call.expirationMs,
    ...(memo && { data: memo }),
    fee_limit: call.feeLimitSun,
    timestamp: call.timestampMs,
  };
}

function bytes(number: number, hex: string): Field {
  return { number, value: Buffer.from(hex, 'hex') };
}

function bytesOf(fields: readonly Field[], number: number, length?: number): Buffer {
  const value = valueOf(fields, number) ?? Buffer.alloc(0);
  if (typeof value === 'number' || (length !== undefined && value.length !== length))
    throw new ProtobufFault(`field ${number} has another type or length`);
  return value;
}

function addressOf(fields: readonly Field[], number: number): string {
  const value = bytesOf(fields, number, ADDRESS_BYTES);
  if (value[0] !== ADDRESS_PREFIX) throw new ProtobufFault(`field ${number} is no address`);
  return value.toString('hex');
}

function numberOf(fields: readonly Field[], number: number): number {
  const value = valueOf(fields, number) ?? 0;
  if (typeof value !== 'number') throw new ProtobufFault(`field ${number} is no number`);
  return value;
}

function valueOf(fields: readonly Field[], number: number): Field['value'] | undefined {
  return fields.find(field => field.number === number)?.value;
}
