import { Command } from 'commander';
import { routeId } from '../../modules/routes/route-id';
import { SetRoutes } from '../../modules/routes/set-routes.command';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import { invariant } from '../../kernel/invariant';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import { example, perform, type Answer, type Session } from '../cli-command';
import { executeCommand } from '../nest-commands';
import { operatorContext } from '../operator-context';
import type { Toolbox } from '../toolbox';

/** The arguments, by the fields of the API. */
const ARGUMENTS = [
  ['asset', 'asset_symbol'],
  ['network', 'network_id'],
  ['wallet', 'wallet_id'],
] as const;

type Pair = { readonly asset: string; readonly network: string };

export function routeCommand(session: Session): Command {
  const route = new Command('route').description('Where the money of merchants lands.');
  route
    .command('set')
    .description(
      'Leads an asset on a network to a verified wallet of the same merchant, without a one-time code, in the mode of the ' +
        'wallet. The rules are those of the API: a changed route cools down for 24 hours.',
    )
    .argument('<asset>', 'such as USDC')
    .argument('<network>', 'such as base')
    .argument('<wallet>', 'id of the wallet, as a list of wallets shows it')
    .addHelpText('after', example('route set USDC base wal_01k9t3m5x8q2v7n4r6c1d0f8ga'))
    .action((asset: string, network: string, wallet: string, _: object, command: Command) =>
      perform(session, command, toolbox => set(toolbox, { asset, network }, wallet)),
    );
  return route;
}

async function set(toolbox: Toolbox, { asset, network }: Pair, walletId: string): Promise<Answer> {
  const { mode, merchantId } = await ownerOf(toolbox, walletId);
  const now = await toolbox.clock.merchantNow(mode, merchantId);
  const context = { ...operatorContext(toolbox), universe: mode, merchantId, now };
  const entry = { assetSymbol: asset, networkId: network, walletId };
  const routes = await executeCommand(toolbox, new SetRoutes([entry], context)).catch(byArgument);
  const set = routes.find(({ body }) => body.asset_symbol === asset && body.network_id === network);
  invariant(set, `${merchantId} has no route for ${asset} on ${network}, which was set`);
  const { cooling_down_until } = set.body;
  const id = routeId(mode, merchantId, asset, network);
  const facts = { route_id: id, merchant_id: merchantId, mode, asset_symbol: asset, network_id: network };
  const line = `${asset} on ${network} lands in ${walletId} of ${merchantId} (${mode} mode).`;
  const cooling = cooling_down_until === null ? [] : [`The route can be changed again from ${cooling_down_until}.`];
  return { json: { ...facts, wallet_id: walletId, cooling_down_until }, lines: [line, ...cooling] };
}

/** Throws the refusal of the API, with the argument at fault in place of the field. */
function byArgument(error: unknown): never {
  if (!isRefusal(error)) throw error;
  const { code, message, param } = error;
  const [argument] = ARGUMENTS.find(([, field]) => param?.endsWith(`.${field}`)) ?? [];
  throw refuse(code, { message, ...(argument !== undefined && { param: argument }), cause: error });
}

/** Throws Refusal route_wallet_missing. The wallet's id is of one mode, and so is its route. */
async function ownerOf(
  { readModels }: Toolbox,
  walletId: string,
): Promise<{ readonly mode: Mode; readonly merchantId: string }> {
  for (const mode of isId('wal', walletId) ? (['test', 'live'] as const) : []) {
    const wallet = await readModels.get(walletsReadModel, mode, walletId);
    if (wallet?.body.mode === mode) return { mode, merchantId: wallet.body.merchant_id };
  }
  throw refuse('route_wallet_missing', { param: 'wallet' });
}
