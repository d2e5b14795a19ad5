/** The contracts of one network, as they stand at its newest block. */
export interface ContractReader {
  /**
   * The answer of the contract at `address` to the call data, as 0x and hex in lower case. Null where no code stands,
   * or where the call reverts. Throws Refusal provider_unavailable, provider_response_invalid or
   * provider_network_mismatch.
   */
  readContract(address: string, data: string): Promise<string | null>;
}
