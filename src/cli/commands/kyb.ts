import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Command, Option } from 'commander';
import { everyDocument } from '../../kernel/every-document';
import type { Document } from '../../kernel/ports/documents';
import { approveKybCase } from '../../modules/administration/api/actions/kyb-cases';
import { DecideKybCase } from '../../modules/kyb/commands/decide-kyb-case.command';
import { KybDocumentBytes } from '../../modules/kyb/kyb-document-bytes';
import { KYB_STATUSES, kybCasesReadModel, type KybCaseDocument } from '../../modules/kyb/kyb-cases.read-model';
import { refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import { actOrPropose } from '../act-or-propose';
import { example, perform, table, type Answer, type Session } from '../cli-command';
import { executeCommand } from '../nest-commands';
import { operatorContext } from '../operator-context';
import type { Terminal } from '../terminal';
import type { Toolbox } from '../toolbox';
import { writeWhole } from '../whole-file';

const PAGE = 100;
const BPS_A_PERCENT = 100;

type Case = Document<KybCaseDocument>;
type Decision = 'approve' | 'reject';

export function kybCommand(session: Session): Command {
  const kyb = new Command('kyb').description('The verification of businesses, which live mode waits for.');
  kyb
    .command('list')
    .description('The cases of a status, oldest first.')
    .addOption(new Option('--status <status>', 'the cases to list').choices(KYB_STATUSES).default('submitted'))
    .addHelpText('after', example('kyb list --status rejected'))
    .action((options: { readonly status: string }, command: Command) =>
      perform(session, command, toolbox => list(toolbox, options.status)),
    );
  kyb
    .command('show')
    .description('One case: the business, its owners and its documents.')
    .argument('<case>', 'id of the case')
    .option('--documents <folder>', 'write the documents there, each under its id')
    .addHelpText('after', example('kyb show kyb_01k9t3m5x8q2v7n4r6c1d0f8ga --documents ./case'))
    .action((id: string, { documents }: { readonly documents?: string }, command: Command) =>
      perform(session, command, (toolbox, terminal) => show(toolbox, terminal, id, documents)),
    );
  const decisions = [
    ['approve', 'Approves a submitted case. Live mode takes payments from the next request on.'],
    ['reject', 'Rejects a submitted case. The merchant reads the note, and can open another case.'],
  ] as const;
  for (const [decision, description] of decisions)
    kyb
      .command(decision)
      .description(description)
      .argument('<case>', 'id of the case')
      .requiredOption('--note <text>', 'the reason, which the merchant reads')
      .addHelpText('after', example(`kyb ${decision} kyb_01k9t3m5x8q2v7n4r6c1d0f8ga --note "As in the register."`))
      .action((id: string, { note }: { readonly note: string }, command: Command) =>
        perform(session, command, toolbox => decide(toolbox, id, decision, note)),
      );
  return kyb;
}

async function list({ readModels }: Toolbox, status: string): Promise<Answer> {
  const query = { index: 'by_status', equals: { status }, limit: PAGE };
  const cases: Case[] = [];
  for await (const found of everyDocument(readModels, kybCasesReadModel, query)) cases.push(found);
  const rows = cases.map(({ id, body }) => [id, body.merchant_id, body.created, body.business?.legal_name ?? '']);
  return { json: { kyb_cases: cases.map(factsOf) }, lines: rows.length > 0 ? table(rows) : [`No case is ${status}.`] };
}

async function show(toolbox: Toolbox, terminal: Terminal, id: string, folder?: string): Promise<Answer> {
  const found = await caseOf(toolbox, id);
  if (folder !== undefined) await writeDocuments(toolbox, terminal, found, folder);
  return { json: factsOf(found), lines: linesOf(found) };
}

function decide(toolbox: Toolbox, id: string, decision: Decision, note: string): Promise<Answer> {
  const act = async (): Promise<Answer> => {
    await executeCommand(toolbox, new DecideKybCase(id, decision, note, operatorContext(toolbox)));
    const found = await caseOf(toolbox, id);
    return { json: factsOf(found), lines: [`The case of ${found.body.merchant_id} is ${found.body.status}.`] };
  };
  return decision === 'reject' ? act() : actOrPropose(toolbox, { action: approveKybCase, id, body: { note } }, act);
}

/** Throws Refusal kyb_case_not_found. */
async function caseOf({ readModels }: Toolbox, id: string): Promise<Case> {
  const found = isId('kyb', id) ? await readModels.get(kybCasesReadModel, 'platform', id) : null;
  if (found === null) throw refuse('kyb_case_not_found', { param: 'case' });
  return found;
}

async function writeDocuments(toolbox: Toolbox, { signal }: Terminal, { body }: Case, folder: string): Promise<void> {
  const bytes = await KybDocumentBytes.open(toolbox.documents, toolbox.secretBox, toolbox.clock);
  mkdirSync(folder, { recursive: true });
  for (const document of body.documents) {
    const file = path.join(folder, `${document.id}-${document.name}`);
    await writeWhole({ file, option: 'documents' }, [await bytes.read(document)], signal);
  }
}

function linesOf({ id, body }: Case): readonly string[] {
  const { business, owners, documents } = body;
  const decided = body.note === null ? [] : [`note      ${body.note}`];
  const facts = business && [
    `business  ${business.legal_name}, ${business.country}, ${business.registration_number}`,
    `address   ${business.address.replaceAll('\n', ', ')}`,
    `website   ${business.website ?? 'none'}`,
  ];
  return [
    `${id}  ${body.status}  ${body.merchant_id}  opened ${body.created}`,
    ...(facts ?? []),
    ...owners.map(({ name, country, share_bps }) => `owner     ${name}, ${country}, ${share_bps / BPS_A_PERCENT}%`),
    ...documents.map(({ id: document, kind, name, size }) => `document  ${document}  ${kind}  ${name}  ${size} bytes`),
    ...decided,
  ];
}

function factsOf({ id, body }: Case): object {
  return { id, ...body };
}
