import { mirrorWriter, StoredReadModels } from '../../../projections/runner/read-models';
import type { EventMetadata, RecordedEvent } from '../../../src/kernel/event';
import type { Collection } from '../../../src/kernel/ports/documents';
import type { Projection } from '../../../src/kernel/projection';
import type { Mode } from '../../../src/vocabulary/modes';
import { SmtpMailSender } from '../../../src/platform/outbound/smtp-mail-sender';
import { MailDispatch } from '../../../src/processes/notices/mail-dispatch';
import { Outbox, OUTBOX_COLLECTION, type OutboxDocument, type OutboxMessage } from '../../../src/modules/outbox/outbox';
import { MailServer } from '../../support/mail-server';
import { MAIL_TEXTS } from '../../support/mail-texts';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { ManualClock, NOON, RecordingLog } from '../../support/payment-fixture';

/** A log with the documents that mirror it, an outbox, and a mail server on loopback. */
export class NoticeStage {
  readonly clock = new ManualClock(NOON);
  readonly log = new RecordingLog();
  readonly store = new MemoryEventStore();
  readonly readModels: StoredReadModels;
  readonly outbox: Outbox;
  private count = 0;

  private constructor(
    readonly server: MailServer,
    private readonly documents: MemoryDocuments,
    readonly messages: Collection<OutboxDocument>,
    private readonly projections: readonly Projection[],
  ) {
    this.readModels = new StoredReadModels(documents, this.store, this.clock);
    this.outbox = new Outbox(messages, MAIL_TEXTS);
  }

  static async open(projections: readonly Projection[]): Promise<NoticeStage> {
    const documents = new MemoryDocuments();
    const messages = await documents.open<OutboxDocument>(OUTBOX_COLLECTION);
    return new NoticeStage(await MailServer.start(), documents, messages, projections);
  }

  /** Appends the event as it is, and has the documents that mirror its stream follow. */
  async record(
    universe: 'platform' | Mode,
    stream: string,
    { type, data }: { readonly type: string; readonly data: object },
    metadata: Partial<EventMetadata>,
  ): Promise<RecordedEvent> {
    const name = `${universe}.${stream}`;
    const history = await this.store.readStream(name);
    const event = { id: `event-${++this.count}`, type, data, metadata: { ...metadata, mode: universe } } as never;
    await this.store.append(name, history.length === 0 ? 'no_stream' : history.length - 1, [event]);
    const whole = await this.store.readStream(name);
    await mirrorWriter(this.documents, this.projections, this.log)(name, whole);
    return whole.at(-1) as RecordedEvent;
  }

  dispatch(whyNot?: (message: OutboxMessage) => Promise<string | null>): MailDispatch {
    const sender = new SmtpMailSender({ url: this.server.url(), from: 'no-reply@pay.example' });
    return new MailDispatch(this.outbox, sender, this.clock, this.log, whyNot);
  }
}
