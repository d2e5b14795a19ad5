import { Command, InvalidArgumentError, Option } from 'commander';
import { composeFees } from '../../composition/fees';
import type { AccountContext, MerchantContext } from '../../kernel/command-context';
import type { Adjustment } from '../../modules/fees/fee-billing.command';
import type { IssuedFeeInvoice, LiveContext } from '../../processes/fees/fee-billing';
import { uuidV5 } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import { adjustFees } from '../../modules/administration/api/actions/fees';
import { actOrPropose } from '../act-or-propose';
import { example, perform, type Answer, type Session } from '../cli-command';
import { operatorContext } from '../operator-context';
import type { Toolbox } from '../toolbox';
import { feeReport, moneyOf, type ReportOptions } from './fee-report';

const SIGNED_DIGITS = /^-?\d{1,20}$/;
const DIGITS = /^\d{1,5}$/;
const OWN_ID = /^[\x21-\x7e]{1,200}$/;

type AdjustOptions = Pick<Adjustment, 'currency' | 'memo'> & {
  readonly amount: bigint;
  readonly paymentIntent?: string;
  readonly id?: string;
  readonly mode: Mode;
};

export function feeCommand(session: Session): Command {
  const fee = new Command('fee').description('The fee ledgers of merchants: rates, corrections, fee invoices.');
  addReading(fee, session);
  addBilling(fee, session);
  fee
    .command('rate')
    .description('Sets the rate of the fees that accrue from now on, in basis points: 50 is 0.50%.')
    .argument('<merchant>', 'id of the merchant')
    .argument('<bps>', 'whole basis points, 1,000 at most; 0 asks for no fee', wholeNumber)
    .addHelpText('after', example('fee rate mch_01k9t3m5x8q2v7n4r6c1d0f8ga 40'))
    .action((merchant: string, bps: number, _: object, command: Command) =>
      perform(session, command, toolbox => setRate(toolbox, merchant, bps)),
    );
  return fee;
}

function addReading(fee: Command, session: Session): void {
  fee
    .command('list')
    .description('Fee invoices, those that are due first, and what is outstanding of each merchant.')
    .option('--merchant <id>', 'of one merchant alone')
    .addOption(new Option('--status <status>', 'the fee invoices to list').choices(['open', 'paid']).default('open'))
    .addOption(modeOption('of balances'))
    .addHelpText('after', example('fee list --status open'))
    .action((options: ReportOptions, command: Command) =>
      perform(session, command, toolbox => feeReport(toolbox, options)),
    );
}

function addBilling(fee: Command, session: Session): void {
  fee
    .command('adjust')
    .description('Adds a row that corrects the fee ledger. No row is ever changed.')
    .argument('<merchant>', 'id of the merchant')
    .requiredOption('--currency <code>', 'currency of the fee ledger')
    .requiredOption('--amount <minor units>', 'in minor units; one below zero gives fees back', signedAmount)
    .requiredOption('--memo <text>', 'why; the merchant reads it')
    .option('--payment-intent <id>', 'payment whose fee is corrected')
    .option('--id <text>', 'a name of your own for this row: the same command run again adds no second one', ownId)
    .addOption(modeOption('of the fee ledger'))
    .addHelpText(
      'after',
      example(
        'fee adjust mch_01k9t3m5x8q2v7n4r6c1d0f8ga --currency EUR --amount -12 --memo "lost on chain" --id ticket-17',
      ),
    )
    .action((merchant: string, options: AdjustOptions, command: Command) =>
      perform(session, command, toolbox => adjust(toolbox, merchant, options)),
    );
  fee
    .command('invoice')
    .description(
      'Asks a merchant for all fees of live mode that are outstanding in a currency. They are due in 30 days.',
    )
    .argument('<merchant>', 'id of the merchant')
    .requiredOption('--currency <code>', 'currency of the fees')
    .addHelpText('after', example('fee invoice mch_01k9t3m5x8q2v7n4r6c1d0f8ga --currency EUR'))
    .action((merchant: string, { currency }: { readonly currency: string }, command: Command) =>
      perform(session, command, toolbox => invoice(toolbox, merchant, currency)),
    );
  fee
    .command('paid')
    .description('Records that a fee invoice was paid. A pause for it ends at once.')
    .argument('<fee invoice>', 'id of the fee invoice')
    .requiredOption('--reference <text>', 'your own reference, such as the number of the payment at the bank')
    .addHelpText('after', example('fee paid finv_01k9t3m5x8q2v7n4r6c1d0f8ga --reference "Bank 2026-11-25, 17"'))
    .action((feeInvoice: string, { reference }: { readonly reference: string }, command: Command) =>
      perform(session, command, toolbox => pay(toolbox, feeInvoice, reference)),
    );
}

async function setRate(toolbox: Toolbox, merchantId: string, bps: number): Promise<Answer> {
  const context: AccountContext = { ...operatorContext(toolbox), merchantId };
  await composeFees(toolbox).billing.setRate(bps, context);
  return {
    json: { merchant_id: merchantId, fee_bps: bps },
    lines: [`${merchantId} pays ${bps} basis points from now on.`],
  };
}

function adjust(toolbox: Toolbox, merchantId: string, options: AdjustOptions): Promise<Answer> {
  const { currency, amount, paymentIntent, memo, mode } = options;
  const body = {
    ...{ merchant_id: merchantId, amount: amount.toString(), currency, memo, mode },
    ...(paymentIntent !== undefined && { payment_intent: paymentIntent }),
  };
  const commandId = options.id === undefined ? undefined : adjustmentId(mode, merchantId, options.id);
  return actOrPropose(toolbox, { action: adjustFees, id: null, body, commandId }, () =>
    adjustNow(toolbox, merchantId, options, commandId),
  );
}

async function adjustNow(
  toolbox: Toolbox,
  merchantId: string,
  options: AdjustOptions,
  commandId?: string,
): Promise<Answer> {
  const { currency, amount: amountMinorUnits, paymentIntent = null, memo, mode } = options;
  const now = await toolbox.clock.merchantNow(mode, merchantId);
  const own: MerchantContext = { ...operatorContext(toolbox), universe: mode, merchantId, now };
  const context = commandId === undefined ? own : { ...own, commandId };
  const adjustment = { currency, amountMinorUnits, paymentIntent, memo };
  const { account: _, ...adjusted } = await composeFees(toolbox).billing.adjust(adjustment, context);
  return {
    json: { merchant_id: merchantId, mode, ...adjusted },
    lines: [`The fee ledger of ${merchantId} is adjusted by ${moneyOf(amountMinorUnits, currency)} (${mode} mode).`],
  };
}

/** The account finds its row by this id among its newest events, and adds no second one. */
function adjustmentId(mode: Mode, merchantId: string, id: string): string {
  return `cli_${uuidV5(['fee adjust', mode, merchantId, id].join('\n'))}`;
}

async function invoice(toolbox: Toolbox, merchantId: string, currency: string): Promise<Answer> {
  const issued = await composeFees(toolbox).billing.invoice(currency, liveContext(toolbox, merchantId));
  const { number, amount_minor_units, due_at } = issued.state.facts;
  const amount = moneyOf(BigInt(amount_minor_units), currency);
  return { json: factsOf(merchantId, issued), lines: [`${issued.id}  ${number}  ${amount}  due ${due_at}`] };
}

async function pay(toolbox: Toolbox, feeInvoice: string, reference: string): Promise<Answer> {
  const { billing } = composeFees(toolbox);
  const merchantId = await billing.ownerOf(feeInvoice);
  const paid = await billing.pay(feeInvoice, reference, liveContext(toolbox, merchantId));
  const lines = [`${paid.state.facts.number} of ${merchantId} is paid, and pauses nothing.`];
  return { json: factsOf(merchantId, paid), lines };
}

function liveContext(toolbox: Toolbox, merchantId: string): LiveContext {
  return { ...operatorContext(toolbox), universe: 'live', merchantId };
}

function factsOf(merchantId: string, { id, state }: IssuedFeeInvoice): object {
  return { id, merchant_id: merchantId, status: state.status, ...state.facts };
}

function modeOption(whose: string): Option {
  return new Option('--mode <mode>', `mode ${whose}`).choices(['live', 'test']).default('live');
}

function signedAmount(text: string): bigint {
  if (!SIGNED_DIGITS.test(text)) throw new InvalidArgumentError('The amount is a whole number of minor units.');
  return BigInt(text);
}

function ownId(text: string): string {
  if (!OWN_ID.test(text)) throw new InvalidArgumentError('The id is a text of 1 to 200 visible characters.');
  return text;
}

function wholeNumber(text: string): number {
  if (!DIGITS.test(text)) throw new InvalidArgumentError('Basis points are whole numbers.');
  return Number(text);
}
