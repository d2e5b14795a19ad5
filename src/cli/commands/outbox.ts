import { Argument, Command, Option } from 'commander';
import {
  CUSTOMER_OUTBOX_COLLECTION,
  OUTBOX_COLLECTION,
  type OutboxDocument,
  type OutboxMessage,
} from '../../modules/outbox/outbox';
import { refuse } from '../../vocabulary/errors';
import { example, perform, table, type Answer, type Session } from '../cli-command';
import type { Toolbox } from '../toolbox';

const STATUSES: readonly OutboxDocument['status'][] = ['queued', 'sent', 'given_up', 'withheld'];
/** Messages that one answer lists, the newest of them. */
const LISTED = 100;

type OutboxOptions = { readonly status: OutboxDocument['status'] };

export function outboxCommand(session: Session): Command {
  return new Command('outbox')
    .description(
      'Mail to merchants, their customers and the operator: the newest messages, or one message with its text.',
    )
    .addArgument(new Argument('[message]', 'id of a message, as the list shows it'))
    .addOption(new Option('--status <status>', 'the messages to list').choices(STATUSES).default('queued'))
    .addHelpText('after', example('outbox --status given_up'))
    .action((id: string | undefined, { status }: OutboxOptions, command: Command) =>
      perform(session, command, toolbox => (id === undefined ? list(toolbox, status) : show(toolbox, id))),
    );
}

const outboxesOf = ({ documents }: Toolbox) =>
  Promise.all([OUTBOX_COLLECTION, CUSTOMER_OUTBOX_COLLECTION].map(each => documents.open<OutboxDocument>(each)));

async function list(toolbox: Toolbox, status: OutboxDocument['status']): Promise<Answer> {
  const query = { index: 'by_due', equals: { status }, descending: true, limit: LISTED };
  const listed = await Promise.all((await outboxesOf(toolbox)).map(outbox => outbox.list(query)));
  const dueOf = ({ body }: OutboxMessage) => body.next_attempt_at;
  const messages = listed.flat().sort((one, other) => dueOf(other).localeCompare(dueOf(one)));
  messages.splice(LISTED);
  const rows = messages.map(({ id, body }) => [
    id, body.created_at, body.to, `${body.attempts} attempts`, body.subject, body.detail ?? '',
  ]); // prettier-ignore
  const lines = rows.length > 0 ? table(rows) : [`No message is ${status}.`];
  return { json: { messages: messages.map(factsOf) }, lines };
}

async function show(toolbox: Toolbox, id: string): Promise<Answer> {
  const found = await Promise.all((await outboxesOf(toolbox)).map(outbox => outbox.get(id)));
  const message = found.find(each => each !== null);
  if (!message) throw refuse('resource_missing', { param: 'message', message: `The outbox has no message ${id}.` });
  const { to, subject, text, status, detail } = message.body;
  const fate = detail === null ? status : `${status}: ${detail}`;
  return { json: factsOf(message), lines: [`To: ${to}`, `Subject: ${subject}`, `Status: ${fate}`, '', text] };
}

function factsOf({ id, body }: OutboxMessage): object {
  return { id, ...body };
}
