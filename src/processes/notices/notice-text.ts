import { isoTime } from '../../kernel/clock';
import { parseStreamName, type EventMetadata, type RecordedEvent } from '../../kernel/event';
import type { Mode, Universe } from '../../vocabulary/modes';
import { NETWORKS, type NetworkId } from '../../vocabulary/networks';
import type { BarredCodes } from '../../modules/users/wrong-codes';
import { formatTokenAmount, TOKENS, type Token } from '../../vocabulary/tokens';
import type { SettledTransferLost } from '../../modules/payment-intents/payment-intent.events';
import type { QuotedPaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import type { RouteSet } from '../../modules/routes/route.events';
import type { TransferSeen } from '../../modules/transfers/transfer.events';
import type { WebhookEndpointDisabled } from '../../modules/webhooks/webhook-endpoint.events';

/** The holes and deferrals of one network, and the moment since which the oldest of them waits. */
export type SetAsideNotice = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly holes: number;
  readonly deferred: number;
  /** No more places can be set aside: blocks are not read until there is room. */
  readonly isFull: boolean;
  readonly since: string;
};

/** `since`: the moment at which a process first found the network behind. */
export type LagNotice = { readonly mode: Mode; readonly network: NetworkId; readonly since: string };

/** `readUntil`: time of the newest block that was read; null where none was yet. */
export type BehindNotice = LagNotice & { readonly readUntil: string | null };

/** `stream`: the name that the command line takes. A stream is given up once, and for good. */
export type GivenUpNotice = {
  readonly stream: string;
  readonly why: string;
  readonly givenUpBy: string;
  readonly at: string;
};

/** A transfer that lies in the queue. */
type QueuedNotice = {
  readonly mode: Universe;
  readonly transferId: string;
  readonly txHash: string;
  readonly token: Token;
  readonly seen: TransferSeen['data'];
};

type InferredNotice = { readonly mode: Universe; readonly id: string; readonly payment: QuotedPaymentIntent };

export type NoticeText = { readonly subject: string; readonly text: string };

/** `address` is the routed wallet's. */
export function routeChanged(
  { data, metadata }: RecordedEvent<RouteSet>,
  address: string,
  dashboardUrl: string,
): NoticeText {
  const pair = `${data.asset_symbol} on ${NETWORKS[data.network_id].name}`;
  return {
    subject: `Payments in ${pair} go to another wallet now (${metadata.mode} mode)`,
    text: lines(
      `The route for payments in ${pair} was changed.`,
      '',
      `New address: ${address}`,
      `Wallet: ${data.wallet_id}`,
      `Mode: ${metadata.mode}`,
      ...origin(metadata),
      `Cannot be changed again before: ${data.cooling_down_until ?? metadata.occurred_at}`,
      '',
      `If this was not you, revoke your API keys at ${dashboardUrl} and contact support at once.`,
    ),
  };
}

/** `host` is the host of the endpoint's URL. */
export function endpointDisabled(
  { metadata }: RecordedEvent<WebhookEndpointDisabled>,
  endpointId: string,
  host: string,
  dashboardUrl: string,
): NoticeText {
  return {
    subject: `A webhook endpoint was switched off (${metadata.mode} mode)`,
    text: lines(
      `The webhook endpoint ${endpointId} on ${host} has failed for so long that nothing more is sent to it.`,
      '',
      `Mode: ${metadata.mode}`,
      `Switched off at: ${metadata.occurred_at}`,
      '',
      'Nothing is lost: GET /v1/webhook_events?delivered=false lists what was missed.',
      `Mend the receiver, then enable the endpoint again at ${dashboardUrl} or over the API.`,
    ),
  };
}

/** A right code revokes a key also where a limit bars all others, until wrong ones for that reach a limit too. */
export function codesBarred({ keyId, barred }: BarredCodes, nowMs: number, dashboardUrl: string): NoticeText {
  const { kind, id, limit, tally } = barred;
  const isOfRevoking = tally === 'wrong_revoke_at';
  const wrong = `${limit} ${isOfRevoking ? 'further ' : ''}wrong one-time codes`;
  const purpose = isOfRevoking ? ' for the end of a key' : '';
  const whose =
    kind === 'key' ? `with the API key ${id}` : `of the user ${id}, the newest one with the API key ${keyId}`;
  const barredNow = kind === 'key' ? 'from this key' : 'of this user, whichever key shows it';
  const ways = isOfRevoking
    ? [
        `If this was not you, revoke the key ${keyId} at ${dashboardUrl}, or with another key.`,
        `Where no code is taken, the operator of the service can revoke it: npx quittance key revoke ${keyId}`,
      ]
    : [
        `If this was not you, revoke the key ${keyId} at ${dashboardUrl} or with POST /v1/api_keys/${keyId}/revoke.`,
        'A right code is taken for that even now, and the operator of the service can revoke the key as well.',
      ];
  return {
    subject: `${wrong} were sent within ten minutes`,
    text: lines(
      `${wrong} were sent${purpose} ${whose}, all within ten minutes.`,
      `Until fewer of them are that new, no ${isOfRevoking ? 'such ' : ''}code is taken ${barredNow}.`,
      '',
      `Noticed at: ${isoTime(nowMs)}`,
      '',
      ...ways,
    ),
  };
}

export function transferLost(
  { data, metadata }: RecordedEvent<SettledTransferLost>,
  paymentIntent: string,
  dashboardUrl: string,
): NoticeText {
  return {
    subject: `A payment that was settled has lost its transfer (${metadata.mode} mode)`,
    text: lines(
      `The chain has taken back the transfer ${data.transfer_id}, which the payment ${paymentIntent} was settled with.`,
      'Such a reorganisation goes deeper than the network calls possible: it may yet bring the transfer back in another block.',
      '',
      `Mode: ${metadata.mode}`,
      `Noticed at: ${metadata.occurred_at}`,
      '',
      `Look at your wallet before you ship, or clear it up with the customer: ${dashboardUrl}`,
    ),
  };
}

export function transferQueued(
  { mode, transferId, txHash, token, seen }: QueuedNotice,
  dashboardUrl: string,
): NoticeText {
  const amount = `${formatTokenAmount(token, seen.value_base_units)} ${token.asset}`;
  return {
    subject: `Money has come that matches no payment (${mode} mode)`,
    text: lines(
      `A transfer of ${amount} has reached your wallet on ${networkName(token.network, mode)}, and no payment took it.`,
      'Other transfers may wait as well: this message comes once an hour at most.',
      '',
      `Transfer: ${transferId}`,
      `Transaction: ${txHash}`,
      `From: ${seen.from}`,
      `Your address: ${seen.to}`,
      '',
      `Look at the payments that it may be meant for, and decide: ${dashboardUrl}`,
      'Over the API, GET /v1/unmatched_transfers lists all transfers that wait.',
    ),
  };
}

/** The message is for a payment with an inferred transfer, which only its merchant can confirm. */
export function paymentInferred({ mode, id, payment }: InferredNotice, dashboardUrl: string): NoticeText {
  const { quote, ledger } = payment;
  const token = TOKENS[quote.token_id];
  const amount = (baseUnits: string): string => `${formatTokenAmount(token, baseUnits)} ${token.asset}`;
  const inferred = Object.values(ledger.transfers).filter(({ attribution }) => attribution === 'inferred');
  return {
    subject: `A payment waits for your decision (${mode} mode)`,
    text: lines(
      'A transfer has come while one payment alone was open at your address, and its amount is near the amount due.',
      'It was credited to that payment. Your wallet receives other money too, so only you can confirm the payment.',
      '',
      `Payment: ${id}`,
      `Due: ${amount(quote.due_base_units)}`,
      ...inferred.flatMap(({ transfer_id, tx_hash, from, value_base_units }) => [
        `Received: ${amount(value_base_units)}`,
        `Transfer: ${transfer_id}`,
        `Transaction: ${tx_hash}`,
        `From: ${from}`,
      ]),
      '',
      `Look whether your customer has sent it, then accept or reject the payment: ${dashboardUrl}`,
    ),
  };
}

/** The operator gets this message. */
export function setAside({ mode, network, holes, deferred, isFull, since }: SetAsideNotice): NoticeText {
  const name = networkName(network, mode);
  return {
    subject: isFull ? `Scanning stands still on ${name}` : `Blocks or transfers are set aside on ${name}`,
    text: lines(
      isFull
        ? 'So much is set aside on this network that nothing more can be: new blocks are not read, and no quotes are given.'
        : 'Not all of this network can be read. Payments are still seen; deadlines that depend on what is missing wait.',
      '',
      `Network: ${name}`,
      `Blocks that cannot be read: ${holes}`,
      `Transfers that cannot be placed: ${deferred}`,
      `Since: ${since}`,
      '',
      'The blocks and transfers are tried again every few seconds. The command `coverage` shows them; the log says why they wait.',
      'A block or transfer that no provider can ever tell is given up for good by `coverage close` (a block) or `coverage give-up` (a transfer).',
    ),
  };
}

/** The operator gets this message. */
export function behind({ mode, network, since, readUntil }: BehindNotice): NoticeText {
  const name = networkName(network, mode);
  return {
    subject: `${name} is read too far behind its head`,
    text: lines(
      'The newest block that could be read is more than 5 minutes old: the network takes no new quotes, and no quote ends.',
      'Payments count by the time of their block: none is lost, and all are told when the network is read again.',
      '',
      `Network: ${name}`,
      `Read up to: ${readUntil ?? 'nothing yet'}`,
      `Noticed at: ${since}`,
      '',
      'The log names the providers that fail. The command `coverage` shows how far behind the network is.',
      `Where a provider stays away, name another one in ${network.toUpperCase()}_${mode.toUpperCase()}_RPC_URLS.`,
      'This message is sent once. Another one follows when the network has been read in time for 5 minutes.',
    ),
  };
}

/** The operator gets this message. */
export function caughtUp({ mode, network, since }: LagNotice, nowMs: number): NoticeText {
  const name = networkName(network, mode);
  return {
    subject: `${name} is read in time again`,
    text: lines(
      'The network has caught up: quotes are given again, and deadlines pass.',
      '',
      `Network: ${name}`,
      `Behind since: ${since}`,
      `Steady at: ${isoTime(nowMs)}`,
    ),
  };
}

/** The operator gets this message. */
export function holeClosed({ stream, why, givenUpBy, at }: GivenUpNotice): NoticeText {
  const { universe: mode } = parseStreamName(stream);
  return {
    subject: `A block was given up unread (${mode} mode)`,
    text: lines(
      'An administrator has closed a hole in the coverage of a chain: deadlines pass, though the block was never read whole.',
      '',
      `Hole: ${stream}`,
      `Note: ${why}`,
      `Closed by: ${givenUpBy}`,
      `Closed at: ${at}`,
      '',
      'A customer who paid in this block can still name the transaction.',
    ),
  };
}

/** The operator gets this message. */
export function deferralGivenUp({ stream, why, givenUpBy, at }: GivenUpNotice): NoticeText {
  const { universe: mode } = parseStreamName(stream);
  return {
    subject: `A deferred transfer was given up (${mode} mode)`,
    text: lines(
      'An administrator has ended the wait of a transfer that could not be placed: the deadlines of its payment pass.',
      '',
      `Transfer: ${stream}`,
      `Reason: ${why}`,
      `Given up by: ${givenUpBy}`,
      `Given up at: ${at}`,
      '',
      'The transfer lies in the unmatched queue, where the queue could take it; its transaction can still be named.',
    ),
  };
}

function networkName(network: NetworkId, mode: Universe): string {
  return `${NETWORKS[network].name} (${mode} mode)`;
}

function origin({ actor, ip, occurred_at }: EventMetadata): readonly string[] {
  const changedBy = actor.type === 'api_key' ? `API key ${actor.id}` : `${actor.type} ${actor.id}`;
  return [`Changed at: ${occurred_at}`, `Changed by: ${changedBy}`, `From network address: ${ip ?? 'not known'}`];
}

function lines(...each: readonly string[]): string {
  return `${each.join('\n')}\n`;
}
