import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { parseIsoTime } from '../../../kernel/clock';
import type { MerchantClocks } from '../../../kernel/merchant-clocks';
import { PORTS } from '../../../kernel/ports/injection';
import { WritePath } from '../../../kernel/write-path';
import type { Mode } from '../../../vocabulary/modes';
import { MESSAGE_SIGNATURES, type MessageSignatures } from '../message-signatures';
import { microDeposits } from '../micro-deposit.decider';
import { loadOwnWallet } from '../own-wallet';
import { VERIFICATION_ADDRESSES, type VerificationAddresses } from '../verification-method';
import { VERIFICATION_METHODS } from '../wallet.events';
import type { AskedDeposit, WalletProof } from './wallet-proof';

/** The newest deposits that are looked at: an older one that was sent in time proves the wallet too. */
const DEPOSITS_SHOWN = 3;

/** The proof that a merchant's wallet still owes; null once it is verified. Throws Refusal wallet_not_found. */
export class GetWalletProof extends Query<WalletProof | null> {
  constructor(
    readonly walletId: string,
    readonly merchantId: string,
    readonly mode: Mode,
  ) {
    super();
  }
}

@QueryHandler(GetWalletProof)
export class GetWalletProofHandler implements IQueryHandler<GetWalletProof> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.clock) private readonly clock: MerchantClocks,
    @Inject(MESSAGE_SIGNATURES) private readonly signatures: MessageSignatures,
    @Inject(VERIFICATION_ADDRESSES) private readonly addresses: VerificationAddresses,
  ) {}

  async execute({ walletId, merchantId, mode }: GetWalletProof): Promise<WalletProof | null> {
    const { state } = await loadOwnWallet(this.writePath, walletId, { merchantId, universe: mode });
    if (state.status === 'verified') return null;
    const { challenge, depositIds, registration } = state;
    const { network_id: network } = registration;
    const isChecked = {
      signed_message: this.signatures.networks.includes(network),
      micro_deposit: this.addresses.addressOf(mode, network) !== null,
    };
    return {
      methods: VERIFICATION_METHODS.filter(method => isChecked[method]),
      asked: challenge?.method ?? null,
      signature:
        challenge?.method === 'signed_message'
          ? {
              challenge: challenge.challenge,
              expires_at: challenge.expires_at,
              lapsed: (await this.clock.merchantNow(mode, merchantId)) >= parseIsoTime(challenge.expires_at),
            }
          : null,
      deposit: await this.deposit(mode, walletId, depositIds),
    };
  }

  /** The deposit that was seen, or else the newest one. Null where its amount has gone to another request since. */
  private async deposit(mode: Mode, walletId: string, ids: readonly string[]): Promise<AskedDeposit | null> {
    const newest = ids.slice(-DEPOSITS_SHOWN).reverse();
    const asked = await Promise.all(newest.map(id => this.askedDeposit(mode, walletId, id)));
    return asked.find(each => each?.status === 'seen') ?? asked[0] ?? null;
  }

  /** Its term is by the wall's clock, as blocks are. */
  private async askedDeposit(mode: Mode, walletId: string, id: string): Promise<AskedDeposit | null> {
    const { state, history } = await this.writePath.load(microDeposits, mode, id);
    if (state.status === 'free' || state.request.wallet_id !== walletId) return null;
    const { to: address, token_id, amount_base_units, expires_at } = state.request;
    const last = history.at(-1);
    const isOver = this.clock.now() >= parseIsoTime(expires_at);
    return {
      ...{ address, token_id, amount_base_units, expires_at },
      status: state.status === 'open' ? (isOver ? 'lapsed' : 'open') : 'seen',
      transfer:
        state.status === 'open' ? null : { tx_hash: state.deposit.tx_hash, block_number: state.deposit.block_number },
      dropped: last?.type === 'MicroDepositDropped' ? last.data.reason : null,
    };
  }
}
