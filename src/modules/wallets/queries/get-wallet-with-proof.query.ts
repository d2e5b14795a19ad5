import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { parseIsoTime, type Clock } from '../../../kernel/clock';
import { foldedDocument } from '../../../kernel/folded-document';
import type { Document } from '../../../kernel/ports/documents';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { isId } from '../../../vocabulary/ids';
import type { Mode } from '../../../vocabulary/modes';
import { MESSAGE_SIGNATURES, type MessageSignatures } from '../message-signatures';
import { microDeposits } from '../micro-deposit.decider';
import { loadOwnWallet } from '../own-wallet';
import { VERIFICATION_ADDRESSES, type VerificationAddresses } from '../verification-method';
import type { Wallet } from '../wallet.decider';
import { VERIFICATION_METHODS } from '../wallet.events';
import { walletsReadModel, type WalletDocument } from '../wallets.read-model';
import type { AskedDeposit, WalletProof } from './wallet-proof';

/** The newest deposits that are looked at: an older one that was sent in time proves the wallet too. */
const DEPOSITS_SHOWN = 3;

/** The owner of a wallet, at a moment of the merchant's clock. */
type Owner = { readonly merchantId: string; readonly mode: Mode; readonly nowMs: number };

type PendingWallet = Extract<Wallet, { readonly status: 'pending' }>;

type ProvedWallet = {
  readonly wallet: Document<WalletDocument>;
  /** The proof that is still owed; null once the wallet is verified. */
  readonly proof: WalletProof | null;
};

/** A merchant's wallet with its proof, by one reading of its stream. Throws Refusal wallet_not_found. */
export class GetWalletWithProof extends Query<ProvedWallet> {
  constructor(
    readonly walletId: string,
    readonly owner: Owner,
  ) {
    super();
  }
}

@QueryHandler(GetWalletWithProof)
export class GetWalletWithProofHandler implements IQueryHandler<GetWalletWithProof> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.readModels) private readonly readModels: Pick<ReadModels, 'fold'>,
    @Inject(PORTS.clock) private readonly clock: Clock,
    @Inject(MESSAGE_SIGNATURES) private readonly signatures: MessageSignatures,
    @Inject(VERIFICATION_ADDRESSES) private readonly addresses: VerificationAddresses,
  ) {}

  async execute({ walletId, owner }: GetWalletWithProof): Promise<ProvedWallet> {
    const { merchantId, mode: universe } = owner;
    if (!isId('wal', walletId)) throw refuse('wallet_not_found');
    const { state, history } = await loadOwnWallet(this.writePath, walletId, { merchantId, universe });
    const wallet = foldedDocument(this.readModels, walletsReadModel, walletId, history);
    return { wallet, proof: state.status === 'verified' ? null : await this.proof(walletId, state, owner) };
  }

  private async proof(walletId: string, state: PendingWallet, { mode, nowMs }: Owner): Promise<WalletProof> {
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
              lapsed: nowMs >= parseIsoTime(challenge.expires_at),
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
