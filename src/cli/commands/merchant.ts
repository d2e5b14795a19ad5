import { Command } from 'commander';
import type { AccountContext } from '../../kernel/command-context';
import { closeMerchant } from '../../modules/administration/api/actions/merchants';
import { CloseMerchant } from '../../modules/merchants/commands/disable-merchant.command';
import { RegisterMerchant } from '../../processes/accounts/register-merchant';
import { actOrPropose } from '../act-or-propose';
import { example, perform, type Answer, type Session } from '../cli-command';
import { executeCommand } from '../nest-commands';
import { operatorContext } from '../operator-context';
import type { Terminal } from '../terminal';
import type { Toolbox } from '../toolbox';

type CreateOptions = {
  readonly name: string;
  readonly email: string;
  readonly password?: string;
  readonly newData?: boolean;
};

export function merchantCommand(session: Session): Command {
  const merchant = new Command('merchant').description('Merchant accounts.');
  merchant
    .command('create')
    .description('Registers a merchant with one user, and prints what is shown this once: a TOTP secret and two keys.')
    .requiredOption('--name <text>', 'name of the business')
    .requiredOption('--email <address>', 'e-mail address of its first user')
    .option('--password <text>', 'password of that user; without it, one line of standard input')
    .option('--new-data', 'make the data folder where it is missing')
    .addHelpText('after', example('merchant create --name "Corner Shop" --email owner@example.com < password.txt'))
    .action((options: CreateOptions, command: Command) =>
      perform(session, command, (toolbox, terminal) => create(toolbox, terminal, options), {
        makesData: options.newData === true,
      }),
    );
  merchant
    .command('close')
    .description(
      'Closes an account for good. It can be read, and makes nothing new; payments under way are carried on.',
    )
    .argument('<merchant>', 'id of the merchant')
    .requiredOption('--reason <text>', 'why the account is closed')
    .addHelpText('after', example('merchant close mch_01k9t3m5x8q2v7n4r6c1d0f8ga --reason "The owner asked for it."'))
    .action((id: string, { reason }: { readonly reason: string }, command: Command) =>
      perform(session, command, toolbox => close(toolbox, id, reason)),
    );
  return merchant;
}

/** Throws Refusal merchant_not_found or invalid_reason. */
function close(toolbox: Toolbox, merchantId: string, reason: string): Promise<Answer> {
  return actOrPropose(toolbox, { action: closeMerchant, id: merchantId, body: { reason } }, async () => {
    const context: AccountContext = { ...operatorContext(toolbox), merchantId };
    await executeCommand(toolbox, new CloseMerchant(reason, context));
    return { json: { merchant_id: merchantId, status: 'closed', reason }, lines: [`${merchantId} is closed.`] };
  });
}

async function create(toolbox: Toolbox, terminal: Terminal, { name, email, password }: CreateOptions): Promise<Answer> {
  const given = password ?? (await terminal.readLine());
  const registered = await executeCommand(toolbox, new RegisterMerchant(name, email, given, operatorContext(toolbox)));
  return {
    json: registered,
    lines: [
      `merchant     ${registered.merchant_id}`,
      `user         ${registered.user_id}`,
      `TOTP secret  ${registered.totp_secret}`,
      `test key     ${registered.keys.test}`,
      `live key     ${registered.keys.live}`,
      'The TOTP secret and the keys are not shown again.',
    ],
  };
}
