import type { Clock } from '../kernel/clock';
import type { Entropy } from '../kernel/entropy';
import type { Mode } from '../vocabulary/modes';
import type { Chain } from '../kernel/ports/chain';
import type { ChainBalances } from '../kernel/ports/chain-balances';
import type { ContractReader } from '../kernel/ports/contract-reader';
import type { Documents } from '../kernel/ports/documents';
import type { EventStore } from '../kernel/ports/event-store';
import type { ImageSource } from '../kernel/ports/image-source';
import type { LocalChain } from '../kernel/ports/local-chain';
import type { MailSender } from '../kernel/ports/mail';
import type { ProviderStanding } from '../kernel/ports/provider-standing';
import type { RateSource } from '../kernel/ports/rate-source';
import type { Countries } from '../kernel/ports/countries';
import type { Screening } from '../kernel/ports/screening';
import type { SecretBox } from '../kernel/ports/secret-box';
import type { WebhookSender } from '../kernel/ports/webhook-sender';
import type { WatchPolicy } from '../vocabulary/watch-policy';
import type { NetworkId } from '../vocabulary/networks';
import type { Logger } from '../platform/logging/logger';

export type Engines = {
  /** The log as it was recorded. */
  readonly store: EventStore;
  readonly documents: Documents;
  /** No other process writes to these documents. */
  readonly isAlone: boolean;
  readonly close: () => Promise<void>;
};

export type WatchedNetwork = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly chain: Chain;
  /** Present where the chain's contracts can be asked. */
  readonly contracts?: ContractReader;
  /** Present where the chain's balances can be asked for. */
  readonly balances?: ChainBalances;
  /** Present where providers are asked: how each of them stands with this process. */
  readonly standings?: () => readonly ProviderStanding[];
  /** Tells this chain from another chain of the same network: a chain id, or a local chain's genesis hash. */
  readonly instance: string;
  readonly policy: WatchPolicy;
  /** Present where the service itself runs the chain. */
  readonly local?: LocalChain;
};

export type Networks = {
  readonly watched: readonly WatchedNetwork[];
  /** Ends the connections of this process to its local chains, which themselves go on. */
  readonly close: () => Promise<void>;
};

/** The sources by mode; two sources of a mode never have the same name. */
export type RateSources = Readonly<Record<Mode, readonly RateSource[]>>;

/** The ports that every program needs to work on the service's data. */
export type CorePorts = {
  /** The wall's clock. */
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly secretBox: SecretBox;
  readonly log: Logger;
  readonly engines: Engines;
};

/** All ports in which the running service, a test's stage and the simulation differ. */
export type Ports = CorePorts & {
  readonly networks: Networks;
  readonly rates: RateSources;
  readonly screening: Screening;
  /** Null where no database of countries is configured. */
  readonly countries: Countries | null;
  /** Null: messages stay in the outbox. */
  readonly mail: MailSender | null;
  readonly webhooks: WebhookSender;
  /** Fetches the logos of merchants. */
  readonly images: ImageSource;
};

export async function closePorts({ networks, engines }: Pick<Ports, 'networks' | 'engines'>): Promise<void> {
  await networks.close();
  await engines.close();
}
