import { hashMessage } from 'ethers';
import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { ContractReader } from '../../kernel/ports/contract-reader';
import { familyOf, type NetworkId } from '../../vocabulary/networks';
import type { MessageSignatures, Signer } from './message-signatures';

/**
 * First four bytes of keccak256("isValidSignature(bytes32,bytes)"): the question and, padded right, the answer
 * (EIP-1271).
 */
const IS_VALID_SIGNATURE = '0x1626ba7e';
const ACCEPTED = IS_VALID_SIGNATURE.padEnd(66, '0');
/** Ends the signature of a wallet whose contract is not deployed yet (ERC-6492). */
const UNDEPLOYED_SUFFIX = '6492'.repeat(16);
const HEX_BYTES = /^0x(?:[0-9a-f]{2})*$/i;
/** Thirty owners' signatures, with room for the bytes that their contracts put around them. */
const MAX_SIGNATURE_BYTES = 4_096;
const WORD_DIGITS = 64;
/** The signature's offset within the call's arguments: after the hash and this very number. */
const SIGNATURE_OFFSET = 64n;

/** The contracts of a network, or null where none can be asked. */
type ContractsOf = (mode: Mode, network: NetworkId) => ContractReader | null;

/** Checks signatures of plain keys by `keys`, and of contract wallets by asking the contract. */
export class ContractSignatures implements MessageSignatures {
  constructor(
    private readonly keys: MessageSignatures,
    private readonly contractsOf: ContractsOf,
  ) {}

  get networks(): readonly NetworkId[] {
    return this.keys.networks;
  }

  async verify(signer: Signer, message: string, signature: string): Promise<boolean> {
    if (signature.toLowerCase().endsWith(UNDEPLOYED_SUFFIX)) throw undeployed();
    if (await this.keys.verify(signer, message, signature)) return true;
    // TRON has no standard by which a contract vouches for a signature.
    const contracts = familyOf(signer.network) === 'tron' ? null : this.contractsOf(signer.mode, signer.network);
    if (!contracts || !HEX_BYTES.test(signature) || signature.length > 2 + 2 * MAX_SIGNATURE_BYTES) return false;
    return (await contracts.readContract(signer.address, callData(hashMessage(message), signature))) === ACCEPTED;
  }
}

/** `isValidSignature(hash, signature)` as the contract ABI writes it. */
function callData(hash: string, signature: string): string {
  const digits = signature.slice(2).toLowerCase();
  const padded = digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, '0');
  return [IS_VALID_SIGNATURE, hash.slice(2), word(SIGNATURE_OFFSET), word(BigInt(digits.length / 2)), padded].join('');
}

function word(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, '0');
}

function undeployed(): Error {
  const message = "The wallet's contract is not deployed: deploy it and sign again, or verify it by micro_deposit.";
  return refuse('invalid_challenge_field', { param: 'signature', message });
}
