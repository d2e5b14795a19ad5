import { NETWORK_IDS, TOKEN_IDS } from '../../../kernel/tokens';
import {
  constant,
  decimal,
  either,
  flag,
  id,
  MODE,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { VERIFICATION_METHODS } from '../wallet.events';

export const WALLET = resource('wallet', 'An address of yours that payments go to', {
  id: id('wal'),
  object: constant('wallet'),
  mode: MODE,
  network_id: oneOfTexts(NETWORK_IDS),
  address: text('In its checksummed form', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'),
  label: text('Your name for it', 'Till'),
  controls_private_key: flag('As you have declared'),
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
export const CHALLENGE = either(
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
