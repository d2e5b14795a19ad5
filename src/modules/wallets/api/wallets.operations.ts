import type { OperationTable } from '../../../platform/http/openapi-operation';
import { listOf } from '../../../platform/http/openapi-schema';
import { CHALLENGE, WALLET } from './wallet.schema';

export const WALLET_OPERATIONS = {
  register: {
    id: 'createWallet',
    summary: 'Register a receiving address; it gets no quotes until it is verified',
    answer: WALLET,
    refuses: [
      'invalid_address', 'unsupported_network', 'exchange_hosted_wallet', 'wallet_exchange_hosted', 'duplicate_wallet',
    ], // prettier-ignore
  },
  list: {
    id: 'listWallets',
    summary: 'List the wallets of this mode, newest first',
    answer: listOf(WALLET),
    paged: true,
    refuses: [],
  },
  get: { id: 'getWallet', summary: 'Retrieve a wallet', answer: WALLET, refuses: ['wallet_not_found'] },
  challenge: {
    id: 'createWalletChallenge',
    summary: 'Ask for what proves control of the address; it can be answered for 30 minutes',
    answer: CHALLENGE,
    refuses: ['wallet_not_found', 'invalid_state_transition', 'rate_limit', 'reservation_capacity_exhausted'],
  },
  verify: {
    id: 'verifyWallet',
    summary: 'Prove control of the address',
    answer: WALLET,
    refuses: ['wallet_not_found', 'invalid_state_transition', 'invalid_challenge_field', 'provider_response_invalid'],
  },
} as const satisfies OperationTable;
