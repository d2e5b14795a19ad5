import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountContext } from '../../../kernel/command-context';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { WritePath } from '../../../kernel/write-path';
import { commandId } from '../../../vocabulary/ids';
import { loadOpenedCase } from '../current-case';
import { documentRefusal, kybCases } from '../kyb-case.decider';
import { KybDocumentBytes } from '../kyb-document-bytes';
import { documentFactsOf, type SentDocument } from '../kyb-document-facts';

/** Adds a document to the current case. Answers the document's id. */
export class AddKybDocument extends Command<string> {
  constructor(
    readonly document: SentDocument,
    readonly context: AccountContext,
  ) {
    super();
  }
}

/** Removes a document of the current case. Its bytes are deleted; the log keeps its name and its hash. */
export class RemoveKybDocument extends Command<void> {
  constructor(
    readonly document: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

@CommandHandler(AddKybDocument)
export class AddKybDocumentHandler implements ICommandHandler<AddKybDocument> {
  constructor(
    private readonly writePath: WritePath,
    private readonly bytes: KybDocumentBytes,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  /**
   * The bytes are stored before the event, so no case names bytes that are missing. Throws Refusal kyb_case_not_found,
   * request_too_large, unsupported_media_type, parameter_invalid naming `kind`, kyb_case_already_decided, and
   * invalid_state_transition for a case that is full or was submitted.
   */
  async execute({ document: sent, context }: AddKybDocument): Promise<string> {
    const { merchantId } = context;
    // Bytes are stored for a case alone that takes them, so the case is read before.
    const { id: kybCase, current: known } = await loadOpenedCase(this.writePath, this.secretBox, merchantId);
    const facts = documentFactsOf(sent);
    const idKey = await this.secretBox.deriveKey('ids');
    const id = commandId('kdoc', context.startedAt, idKey, context.commandId);
    const named = known.state.status === 'none' ? [] : known.state.documents;
    if (named.some(document => document.id === id)) return id;
    const refusal = documentRefusal(known.state);
    if (refusal !== null) throw refusal;
    await this.bytes.removeAbandoned(kybCase, named);
    await this.bytes.store({ merchantId, kybCase, document: id }, sent.bytes);
    const command = { type: 'add_document', document: { id, ...facts } } as const;
    const { state, events } = await this.writePath.executePlan(
      kybCases,
      kybCase,
      standing => (documentRefusal(standing.state) === null ? { command, context } : null),
      context,
      { known },
    );
    const refused = events.length > 0 ? null : documentRefusal(state);
    if (refused === null) return id;
    await this.bytes.remove(kybCase, id);
    throw refused;
  }
}

@CommandHandler(RemoveKybDocument)
export class RemoveKybDocumentHandler implements ICommandHandler<RemoveKybDocument> {
  constructor(
    private readonly writePath: WritePath,
    private readonly bytes: KybDocumentBytes,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  /** Throws Refusal resource_missing, kyb_case_not_found, kyb_case_already_decided or invalid_state_transition. */
  async execute({ document, context }: RemoveKybDocument): Promise<void> {
    const { id, current } = await loadOpenedCase(this.writePath, this.secretBox, context.merchantId);
    await this.writePath.execute(kybCases, id, { type: 'remove_document', document }, context, current);
    await this.bytes.remove(id, document);
  }
}
