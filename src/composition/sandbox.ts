import type { CommandBus } from '@nestjs/cqrs';
import type { Core } from './core';
import type { MerchantContext } from '../kernel/command-context';
import type { LocalChains } from '../kernel/ports/local-chain';
import type { SandboxCustomers } from '../modules/sandbox/commands/send-sandbox-transfer.command';
import { AttributeTransaction } from '../modules/transfers/commands/attribute-transaction.command';
import type { Invoicing } from './invoices';
import type { WatchedNetwork } from './ports';
import type { Payments } from './payments';
import type { Sweeper } from '../processes/expiry/sweeper';
import { SandboxTime, type SandboxTimeParts } from '../processes/expiry/sandbox-time';
import type { Webhooks } from './webhooks';

/** The parts that merchants steer in test mode: their clocks, and customers on the local chains. */
export type Sandbox = { readonly chains: LocalChains; readonly time: SandboxTime };

type SandboxParts = {
  readonly core: Core;
  readonly networks: readonly WatchedNetwork[];
  readonly payments: Payments;
  readonly sweeper: Sweeper;
  readonly webhooks: Webhooks;
  readonly invoicing: Pick<Invoicing, 'deadlines'>;
  readonly deadlinesUpTo: SandboxTimeParts['deadlinesUpTo'];
};

export function composeSandbox(parts: SandboxParts): Sandbox {
  const { core, networks, payments, sweeper, webhooks, invoicing, deadlinesUpTo } = parts;
  const { writes, store, clock, log } = core;
  const chains: LocalChains = new Map(
    networks.flatMap(({ network, local }) => (local ? [[network, local] as const] : [])),
  );
  const time = new SandboxTime({
    writes,
    store,
    clock,
    chains,
    coveredUntil: (mode, network) => payments.frontiers.scannedUntil(mode, network),
    deadlinesUpTo,
    sweepMerchant: async (merchantId, advanced) => {
      await sweeper.sweepMerchant(merchantId, advanced);
      await invoicing.deadlines.sweepMerchant(merchantId, advanced);
      await webhooks.dispatcher.drain(merchantId);
    },
    log,
  });
  return { chains, time };
}

/** The customers that the sandbox plays: one for each local chain. */
export async function sandboxCustomers(
  { chains, time }: Sandbox,
  { readModels, clock }: Pick<Core, 'readModels' | 'clock'>,
  commands: CommandBus,
): Promise<SandboxCustomers> {
  if (chains.size === 0) return new Map();
  const { SandboxCustomer } = await import('../sandbox/outcomes/sandbox-customer.js');
  const nameTransaction = async (paymentIntent: string, txHash: string, context: MerchantContext): Promise<void> => {
    const named = { text: txHash, logIndex: null };
    await commands.execute(new AttributeTransaction(paymentIntent, named, 'merchant', context));
  };
  const parts = { readModels, clock, time, nameTransaction };
  return new Map([...chains].map(([network, chain]) => [network, new SandboxCustomer({ ...parts, chain })]));
}
