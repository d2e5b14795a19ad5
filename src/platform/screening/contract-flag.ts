import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { ContractReader } from '../../kernel/ports/contract-reader';
import type { NetworkId } from '../../vocabulary/networks';
import { addressBytes } from './address-bytes';

/** The contracts of a network, or null where none can be asked. */
export type ContractsOf = (mode: Mode, network: NetworkId) => ContractReader | null;

type FlagQuestion = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly contract: string;
  /** First four bytes of the hash of a function that takes one address and answers a boolean. */
  readonly selector: string;
};

const FALSE = `0x${'0'.repeat(64)}`;
const TRUE = `0x${'0'.repeat(63)}1`;
const WORD_DIGITS = 64;

/**
 * Tells whether a contract lists an address. An answer other than a plain yes or no is no answer. Where no code stands,
 * or the function does not exist, no address may be taken for clear. Throws Refusal provider_unavailable,
 * provider_response_invalid or invalid_sanctions_address.
 */
export async function contractFlag(contractsOf: ContractsOf, asked: FlagQuestion, address: string): Promise<boolean> {
  const { mode, network, contract, selector } = asked;
  const reader = contractsOf(mode, network);
  if (!reader) throw refuse('provider_unavailable', { message: `No provider of ${network} in ${mode} mode.` });
  const data = `${selector}${addressBytes(network, address).padStart(WORD_DIGITS, '0')}`;
  const answer = await reader.readContract(contract, data);
  if (answer === FALSE) return false;
  if (answer === TRUE) return true;
  const fault = answer === null ? 'has no such function' : 'answers neither true nor false';
  throw refuse('provider_response_invalid', { message: `${contract} on ${network} ${fault}.` });
}
