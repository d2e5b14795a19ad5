import { setTimeout as pause } from 'node:timers/promises';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { SECOND_MS } from '../../kernel/clock';
import { SystemClock } from '../../platform/clock/system-clock';
import { refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import { SANDBOX_OUTCOMES, type SandboxOutcome } from '../../vocabulary/sandbox-outcomes';
import { TOKEN_IDS } from '../../vocabulary/tokens';
import { performOnApi, withApiOptions, type ApiOptions } from '../api-command';
import { example, type Answer, type Session } from '../cli-command';
import type { ServiceApi } from '../service-api';
import { EXIT_CODES, type Terminal } from '../terminal';

/** The sandbox answers when the outcome has come; a busy machine may be a little behind. */
const OUTCOME_LIMIT_MS = 30 * SECOND_MS;
const LOOK_EVERY_MS = 250;

/** The state that a payment comes to by each outcome. */
export const STATUS_BY_OUTCOME: Readonly<Record<SandboxOutcome, string>> = {
  exact: 'confirmed',
  short: 'underpaid',
  over: 'overpaid',
  late: 'paid_late',
  reorged: 'failed',
  reverted: 'failed',
  wrong_token: 'awaiting_payment',
};
/** States that a payment may pass on its way; a paid remainder leads on from `underpaid`. */
const UNDER_WAY = ['awaiting_payment', 'detected', 'confirming', 'underpaid'];

/** A further transfer for any other payment is money for the queue, which is no outcome. */
const UNPAID = ['created', 'awaiting_payment', 'underpaid', 'expired'];

const PAYMENT = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.string(),
  currency: z.string(),
  checkout_url: z.string().nullish(),
  payment_method: z.object({ token_amount: z.string(), asset_symbol: z.string(), network_id: z.string() }).nullable(),
});
const ROUTES = z.object({ data: z.array(z.object({ token_id: z.string(), wallet_id: z.string() })) });
const TRANSFER = z.object({ tx_hash: z.string(), token_amount: z.string(), network_id: z.string() });
type Payment = z.infer<typeof PAYMENT>;

type TriggerOptions = ApiOptions & {
  readonly payment?: string;
  readonly amount: string;
  readonly currency: string;
  readonly token?: string;
};

export function triggerCommand(session: Session): Command {
  const trigger = new Command('trigger')
    .description(
      'Makes a test payment, or takes one, plays its customer in the sandbox, and waits for the outcome. Webhooks follow ' +
        'as for any payment. The outcome `late` moves the clock of the account in test mode.',
    )
    .addArgument(new Argument('<outcome>', 'how the payment comes out').choices(SANDBOX_OUTCOMES))
    .addOption(
      new Option('--payment <id>', 'a payment that is not paid yet; by default a new one').argParser(paymentId),
    )
    .option('--amount <amount>', 'of a new payment, in minor units', '2500')
    .option('--currency <currency>', 'of a new payment', 'EUR')
    .addOption(new Option('--token <token>', 'by default that of the newest route').choices(TOKEN_IDS));
  return withApiOptions(trigger)
    .addHelpText('after', example('trigger short --amount 9900'))
    .action((outcome: SandboxOutcome, options: TriggerOptions, command: Command) =>
      performOnApi(session, command, options, (api, terminal) => {
        const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true;
        return play(new Story(api, isJson ? null : terminal), outcome, options);
      }),
    );
}

/** Fails where the payment comes to another state. Throws the refusals of the API. */
async function play(story: Story, outcome: SandboxOutcome, options: TriggerOptions): Promise<Answer> {
  const { id } = await story.quoted(options);
  const transfer = await story.send(id, outcome);
  const expected = STATUS_BY_OUTCOME[outcome];
  const status = await story.outcomeOf(id, expected);
  const line = status === expected ? `${id} is ${status}` : `${id} is ${status}, and ${expected} was expected`;
  return {
    json: { payment_intent: id, outcome, status, expected, ...transfer },
    lines: [line],
    exitCode: status === expected ? EXIT_CODES.ok : EXIT_CODES.failed,
  };
}

class Story {
  private readonly clock = new SystemClock();

  constructor(
    private readonly api: ServiceApi,
    /** Null where the steps are not told. */
    private readonly terminal: Terminal | null,
  ) {}

  /** A payment whose token is chosen. */
  async quoted({ payment, amount, currency, token }: TriggerOptions): Promise<Payment> {
    const path = payment === undefined ? '' : `/${payment}`;
    const body = payment === undefined ? { amount, currency } : undefined;
    const found = await this.api.call(`/v1/payment_intents${path}`, PAYMENT, body);
    this.say(`${found.id} of ${found.amount} ${found.currency} is ${found.status}`);
    if (!UNPAID.includes(found.status)) {
      const message = `The payment is ${found.status}. A payment that still can be paid is ${UNPAID.join(', ')}.`;
      throw refuse('invalid_state_transition', { param: '--payment', message });
    }
    const quoted = found.payment_method === null ? await this.select(found.id, token) : found;
    const { token_amount, asset_symbol, network_id } = quoted.payment_method ?? {};
    this.say(`it asks for ${token_amount} ${asset_symbol} on ${network_id}`);
    if (quoted.checkout_url) this.say(quoted.checkout_url);
    return quoted;
  }

  async send(id: string, outcome: SandboxOutcome): Promise<z.infer<typeof TRANSFER>> {
    const transfer = await this.api.call('/v1/sandbox/transfers', TRANSFER, { payment_intent: id, outcome });
    this.say(`the customer sent ${transfer.token_amount}: ${transfer.tx_hash}`);
    return transfer;
  }

  /** The state that the payment has come to, or has at the end of the limit. */
  async outcomeOf(id: string, expected: string): Promise<string> {
    for (const endMs = this.clock.now() + OUTCOME_LIMIT_MS; ; await pause(LOOK_EVERY_MS)) {
      const { status } = await this.api.call(`/v1/payment_intents/${id}`, PAYMENT);
      if (status === expected || !UNDER_WAY.includes(status) || this.clock.now() > endMs) return status;
    }
  }

  private async select(id: string, token: string | undefined): Promise<Payment> {
    const { data } = await this.api.call('/v1/routes', ROUTES);
    const route = data.find(({ token_id }) => token === undefined || token_id === token);
    if (!route) throw refuse('no_route_configured', { param: token === undefined ? 'routes' : '--token' });
    return this.api.call(`/v1/payment_intents/${id}/select_method`, PAYMENT, route);
  }

  private say(line: string): void {
    this.terminal?.out(`${line}\n`);
  }
}

function paymentId(text: string): string {
  if (isId('pi', text)) return text;
  throw new InvalidArgumentError('A payment has an id such as pi_01hq3k8zj5x2v7m4t9c6w1p0ra.');
}
