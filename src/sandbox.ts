import { Checkpoints } from '../projections/runner/checkpoints';
import type { Core } from './core';
import type { LocalChains } from './kernel/ports/local-chain';
import { deadlinesReadModel } from './modules/payment-intents/deadlines.read-model';
import type { WatchedNetwork } from './networks';
import type { Payments } from './payments';
import { SandboxPayer } from './platform/chains/sandbox/sandbox-payer';
import type { Sweeper } from './processes/expiry/sweeper';
import { SandboxTime, type SandboxTimeParts } from './processes/sandbox/sandbox-time';
import type { Webhooks } from './webhooks';

const POLL_MS = 50;

/** What merchants steer in test mode: their clocks, and customers on the local chains. */
export type Sandbox = { readonly chains: LocalChains; readonly time: SandboxTime };

export type SandboxParts = {
  readonly core: Core;
  readonly networks: readonly WatchedNetwork[];
  readonly payments: Payments;
  readonly sweeper: Sweeper;
  readonly webhooks: Webhooks;
  readonly deadlinesUpTo: SandboxTimeParts['deadlinesUpTo'];
};

export function composeSandbox({ core, networks, payments, sweeper, webhooks, deadlinesUpTo }: SandboxParts): Sandbox {
  const { writes, store, clock, entropy, log } = core;
  const chains: LocalChains = new Map(
    networks.flatMap(({ network, local }) => (local ? [[network, new SandboxPayer(local, entropy)] as const] : [])),
  );
  const time = new SandboxTime({
    writes,
    store,
    clock,
    chains,
    coveredUntil: (mode, network) => payments.frontiers.scannedUntil(mode, network),
    deadlinesUpTo,
    sweepMerchant: async merchantId => {
      await sweeper.sweepMerchant(merchantId);
      await webhooks.dispatcher.drain(merchantId);
    },
    log,
  });
  return { chains, time };
}

/** For a process whose projections run elsewhere: by the checkpoint, which is written once a second. */
export function checkpointUpTo({
  documents,
  clock,
}: Pick<Core, 'documents' | 'clock'>): SandboxTimeParts['deadlinesUpTo'] {
  return async (position, timeoutMs) => {
    const checkpoints = await Checkpoints.open(documents, clock);
    for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_MS) {
      const stored = await checkpoints.load(deadlinesReadModel.name);
      if (stored && stored.body.position >= position) return;
      await clock.wait(POLL_MS);
    }
    throw new Error(`the projection ${deadlinesReadModel.name} has not come to ${position} in time`);
  };
}
