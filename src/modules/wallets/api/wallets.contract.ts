import { refuse } from '../../../vocabulary/errors';
import { TOKEN_IDS } from '../../../vocabulary/tokens';
import { isNetworkId, NETWORK_IDS } from '../../../vocabulary/networks';
import type { BodyCheck } from '../../../platform/http/caller';
import { keywordsOf, OneOf, Text } from '../../../platform/http/fields/text-fields';
import { Flag } from '../../../platform/http/fields/value-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  constant,
  decimal,
  either,
  flag,
  id,
  listOf,
  MODE,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { checkedAddress, checkLabel, WALLET_LABEL, type WalletTerms } from '../wallet-registration';
import { VERIFICATION_METHODS, type VerificationMethod, type WalletChanged } from '../wallet.events';

/** A limit above the length of any challenge; any text but the issued one is refused anyway. */
const MAX_CHALLENGE_LENGTH = 2_000;
const LABEL = { min: 1, max: WALLET_LABEL.max, later: keywordsOf(WALLET_LABEL), example: 'Till' } as const;

export class RegisterWalletDto {
  @Text({ later: { enum: NETWORK_IDS }, example: 'base' })
  network_id!: string;

  @Text({
    code: 'invalid_address',
    description: '0x and 40 hex characters; on tron 34 characters of base58check, or 41 and 40 hex.',
    example: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  })
  address!: string;

  @Text({ ...LABEL, description: 'Your name for it' })
  label!: string;

  @Flag('That nobody else, an exchange for one, holds the key of this address.')
  controls_private_key!: boolean;
}

export function walletTerms(body: RegisterWalletDto): WalletTerms {
  const { network_id: networkId, address, label, controls_private_key: controlsPrivateKey } = body;
  return { networkId, address, label, controlsPrivateKey };
}

/** The command refuses an unknown network: the request has no mistake in its form, and its answer is kept. */
export const checkWalletTerms: BodyCheck<RegisterWalletDto> = (body, { caller }) => {
  if (isNetworkId(body.network_id)) checkedAddress(walletTerms(body), caller.mode);
};

export class ChangeWalletDto {
  @Text({ ...LABEL, presence: 'optional' })
  label?: string;

  @Flag(
    'That the address receives nothing but payments of this service: no other sales, no top-ups of yours, nothing from friends or exchanges. True lets a transfer whose amount is a little off confirm its payment by itself. A customer who can predict a deposit to a shared wallet could otherwise get goods for it: never declare a shared wallet dedicated',
    { presence: 'optional' },
  )
  dedicated?: boolean;
}

export function walletDetails({ label, dedicated }: ChangeWalletDto): Partial<WalletChanged['data']> {
  return { ...(label !== undefined && { label }), ...(dedicated !== undefined && { dedicated }) };
}

export const checkDetails: BodyCheck<ChangeWalletDto> = ({ label }) => {
  if (label !== undefined) checkLabel(label);
};

export class WalletChallengeDto {
  @OneOf(VERIFICATION_METHODS)
  method!: VerificationMethod;
}

export class VerifyWalletDto {
  @OneOf(VERIFICATION_METHODS)
  method!: VerificationMethod;

  @Text({
    presence: 'nullable',
    code: 'invalid_challenge_field',
    description: 'Of signed_message: over the challenge, as hex.',
  })
  signature?: string | null;

  @Text({
    presence: 'nullable',
    max: MAX_CHALLENGE_LENGTH,
    code: 'invalid_challenge_field',
    description: 'The challenge, unedited.',
  })
  challenge?: string | null;
}

export const checkProof: BodyCheck<VerifyWalletDto> = ({ method, signature = null }) => {
  if (method === 'signed_message' && signature === null)
    throw refuse('invalid_challenge_field', { param: 'signature' });
};

const WALLET = resource('wallet', 'An address of yours that payments go to', {
  id: id('wal'),
  object: constant('wallet'),
  mode: MODE,
  network_id: oneOfTexts(NETWORK_IDS),
  address: text('In its checksummed form', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'),
  label: text('Your name for it', 'Till'),
  controls_private_key: flag('As you have declared'),
  dedicated: flag(
    'As you have declared: the address receives nothing but payments of this service. Only then does a transfer whose amount is a little off confirm its payment by itself. At a shared wallet the payment is underpaid until you accept it',
  ),
  status: oneOfTexts(['pending', 'verified'], 'A pending one gets no quotes'),
  verification: nullable(
    record({
      method: oneOfTexts(VERIFICATION_METHODS),
      verified_at: timestamp(),
    }),
  ),
  created: timestamp(),
});

export type WalletResource = Answer<typeof WALLET>;

/** `token_amount` is in whole tokens, as people send them. */
const CHALLENGE = either(
  resource('signing_challenge', 'Of signed_message: the text to sign, to the letter', {
    challenge: text('To be signed with the key of the address, and given back unedited'),
    expires_at: timestamp('30 minutes after it was issued'),
  }),
  resource('deposit_challenge', 'Of micro_deposit: what to send from the address, exactly', {
    address: text('Where to send it', '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'),
    token_id: oneOfTexts(TOKEN_IDS),
    token_amount: decimal('In whole tokens', '0.014711'),
    expires_at: timestamp('30 minutes after it was issued'),
  }),
);

export type ChallengeResource = Answer<typeof CHALLENGE>;

export const WALLET_OPERATIONS = {
  register: {
    id: 'createWallet',
    summary: 'Register a receiving address; it gets no quotes until it is verified',
    description:
      'An address on the list of exchange wallets is refused, since its exchange holds the key. In live mode that list is empty until the operator of the service fills it with `exchange-wallets import`. An empty list refuses nothing: make sure yourself that you hold the key.',
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
  change: {
    id: 'changeWallet',
    summary: 'Give a wallet another label, or declare whether it is dedicated to this service',
    description:
      'A field that is left out stays as it is. A quote keeps the declaration under which it was made. A transfer whose amount meets no payment exactly may be credited to the one payment that was open then. At a shared wallet, such a payment waits for your decision. At a dedicated one it is confirmed, overpaid or underpaid by itself. Declare a wallet dedicated only where nothing else ever comes to it: whoever can predict a deposit to a shared wallet could otherwise get goods for it. A naming at checkout settles its payment at a shared wallet too, where the block came after the quote and no other open payment is nearer. Somebody who can predict your own top-up, or a regular payer, could name that transfer for a payment of theirs. So receive payments at an address that gets nothing else, or look at each transfer with the attribution `claimed` before you ship.',
    answer: WALLET,
    refuses: ['wallet_not_found', 'invalid_state_transition'],
  },
  challenge: {
    id: 'createWalletChallenge',
    summary: 'Ask for what proves control of the address; it can be answered for 30 minutes',
    answer: CHALLENGE,
    refuses: ['wallet_not_found', 'invalid_state_transition', 'reservation_capacity_exhausted'],
  },
  verify: {
    id: 'verifyWallet',
    summary: 'Prove control of the address',
    answer: WALLET,
    refuses: ['wallet_not_found', 'invalid_state_transition', 'invalid_challenge_field', 'provider_response_invalid'],
  },
} as const satisfies OperationTable;
