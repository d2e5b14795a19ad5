import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { isLoopback } from '../../platform/outbound/loopback';
import { ALL_TYPES, isWebhookType, WEBHOOK_TYPES } from '../../modules/webhooks/webhook-types';
import { refuse } from '../../vocabulary/errors';
import { apiOf, withApiOptions, type ApiOptions } from '../api-command';
import { example, type Session } from '../cli-command';
import { EventFeed, type WebhookBody } from '../event-feed';
import { LocalReceiver, tellDelivery } from '../local-receiver';
import { isPassing } from '../service-api';
import type { Terminal } from '../terminal';

/** One request for all events that are new: far below what a key may ask. */
const LOOK_EVERY_MS = 500;
const SECRET_PREFIX = 'whsec_';
const ISSUED_SECRET = /^whsec_[\w-]{43}$/;

type ListenOptions = ApiOptions & {
  readonly forwardTo?: string;
  readonly printSecret?: boolean;
  readonly secret?: string;
  readonly events: readonly string[];
};

export function listenCommand(session: Session): Command {
  const listen = new Command('listen')
    .description(
      'Forwards each new webhook event of test mode to a receiver on this machine, signed as the service signs, and prints ' +
        'a line an event. Asks the API for events twice a second; needs no endpoint and no one-time code. Ctrl-C ends it.',
    )
    .addOption(new Option('--forward-to <url>', 'the receiver, on this machine').argParser(receiverUrl))
    .option('--print-secret', 'print the signing secret first; without --forward-to, print it and end')
    .option('--secret <secret>', 'sign with this secret; by default one that follows from the key')
    .addOption(
      new Option('--events <types>', 'types to forward, with commas between')
        .argParser(types)
        .default([ALL_TYPES], 'all'),
    );
  return withApiOptions(listen)
    .addHelpText('after', example('listen --forward-to http://127.0.0.1:4242/webhooks --print-secret'))
    .action((options: ListenOptions, command: Command) => run(session, command, options));
}

/** Throws Refusal invalid_signing_secret, and those of the API. */
async function run({ terminal, answered }: Session, command: Command, options: ListenOptions): Promise<void> {
  const { api, key } = apiOf(terminal, command, options);
  const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true;
  const say = (facts: object, line: string): void => terminal.out(`${isJson ? JSON.stringify(facts) : line}\n`);
  const { forwardTo, printSecret = false } = options;
  const secret = signingSecret(key, options.secret);
  if (forwardTo === undefined && !printSecret)
    return command.error("error: required option '--forward-to <url>' missing");
  if (printSecret) say({ signing_secret: secret }, secret);
  if (forwardTo !== undefined) {
    const feed = new EventFeed(api);
    await feed.start();
    terminal.err(`Listening at ${api.baseUrl}, forwarding to ${forwardTo}. Ctrl-C ends it.\n`);
    const receiver = new LocalReceiver(forwardTo, secret);
    for await (const event of eventsOf(feed, terminal)) {
      if (!options.events.includes(ALL_TYPES) && !options.events.includes(event.type)) continue;
      const { facts, line } = tellDelivery(event, await receiver.take(event, terminal.signal));
      say(facts, line);
    }
  }
  answered(0);
}

/** Until the user interrupts. An outage is told once, and waited out. */
async function* eventsOf(feed: EventFeed, { signal, err }: Terminal): AsyncIterable<WebhookBody> {
  let isAway = false;
  while (!signal.aborted) {
    try {
      yield* await feed.look();
      isAway = false;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!isAway) err(`${(error as Error).message} Trying again.\n`);
      isAway = true;
    }
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The same for the same key, so that a receiver keeps its secret. The key cannot be told from the secret. */
function signingSecret(key: string, given: string | undefined): string {
  if (given === undefined)
    return SECRET_PREFIX + createHmac('sha256', key).update('quittance listen').digest('base64url');
  if (ISSUED_SECRET.test(given)) return given;
  throw refuse('invalid_signing_secret', { param: '--secret' });
}

function receiverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || !isLoopback(url.hostname))
    throw new InvalidArgumentError(
      'The receiver has an http URL on this machine, such as http://127.0.0.1:4242/webhooks.',
    );
  return text;
}

function types(text: string): readonly string[] {
  const named = text.split(',').map(type => type.trim());
  const unknown = named.find(type => type !== ALL_TYPES && !isWebhookType(type));
  if (unknown === undefined) return named;
  throw new InvalidArgumentError(`There is no type ${unknown}. The types are ${WEBHOOK_TYPES.join(', ')}.`);
}
