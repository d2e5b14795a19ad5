import { Command } from 'commander';
import { apiKeys } from '../../modules/api-keys/api-key.decider';
import { RevokeApiKey } from '../../modules/api-keys/commands/revoke-api-key.command';
import { refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import { example, perform, type Answer, type Session } from '../cli-command';
import { executeCommand } from '../nest-commands';
import { operatorContext } from '../operator-context';
import type { Toolbox } from '../toolbox';

export function keyCommand(session: Session): Command {
  const key = new Command('key').description('API keys of merchants.');
  key
    .command('revoke')
    .description('Revokes a key at once and for good, without a one-time code: for an owner who cannot do it.')
    .argument('<key>', 'id of the key, such as a list of keys shows it')
    .addHelpText('after', example('key revoke key_01k9t3m5x8q2v7n4r6c1d0f8ga'))
    .action((id: string, _: object, command: Command) => perform(session, command, toolbox => revoke(toolbox, id)));
  return key;
}

async function revoke(toolbox: Toolbox, keyId: string): Promise<Answer> {
  const { mode, merchantId } = await ownerOf(toolbox, keyId);
  const context = { ...operatorContext(toolbox), universe: mode, merchantId };
  await executeCommand(toolbox, new RevokeApiKey(keyId, context));
  return {
    json: { key_id: keyId, merchant_id: merchantId, mode, status: 'revoked' },
    lines: [`${keyId} of ${merchantId} is revoked (${mode} mode). No request with it is taken any more.`],
  };
}

/** Throws Refusal resource_missing. A text that is no id may be the key itself, so no message repeats it. */
async function ownerOf(
  { writes }: Toolbox,
  keyId: string,
): Promise<{ readonly mode: Mode; readonly merchantId: string }> {
  for (const mode of isId('key', keyId) ? (['test', 'live'] as const) : []) {
    const { history } = await writes.load(apiKeys, mode, keyId);
    const merchantId = history[0]?.metadata.merchant_id;
    if (merchantId) return { mode, merchantId };
  }
  const message = 'No key of either mode has this id. The id begins with key_, and is not the key itself.';
  throw refuse('resource_missing', { param: 'key', message });
}
