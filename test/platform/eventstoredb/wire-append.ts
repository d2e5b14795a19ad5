import { ErrorType } from '@eventstore/db-client';
import {
  AccessDenied,
  AllStreamPosition,
  BadRequest,
  Empty,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  StreamIdentifier,
  Timeout,
  WrongExpectedVersion,
  type UUID,
} from '@eventstore/db-client/generated/shared_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import { BatchAppendResp, type BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import type { EncodedEvent } from '../../../src/platform/event-store/eventstoredb/event-codec';
import type { FakeLog } from './fake-log';

/** The server's setting as it comes. */
const WRITE_TIMEOUT_MS = 2_000;

type Details = { serializeBinary(): Uint8Array };

/** The third field of a status, without content. */
const STATUS_OF_EMPTY_DETAILS = Uint8Array.of(0x1a, 0x00);

const PACKAGE = 'event_store.client';
const CODES = { invalidArgument: 3, deadlineExceeded: 4, notFound: 5, alreadyExists: 6, permissionDenied: 7 };

export type Rights = {
  readonly deniedStreams: ReadonlySet<string>;
  readonly deletedStreams: ReadonlySet<string>;
  readonly mostAppendBytes: number;
  now(): number;
};

/** An append as the server collects it from one message or several. */
export class WireAppend {
  readonly stream: string;
  private readonly events: EncodedEvent[] = [];
  private readonly id: UUID | undefined;

  constructor(
    private readonly first: BatchAppendReq,
    private readonly log: FakeLog,
    private readonly rights: Rights,
  ) {
    this.id = first.getCorrelationId();
    this.stream = Buffer.from(first.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
  }

  add(request: BatchAppendReq): void {
    for (const message of request.getProposedMessagesList()) {
      this.events.push({
        id: message.getId()?.getString() ?? '',
        type: message.getMetadataMap().get('type') ?? '',
        data: Buffer.from(message.getData_asU8()),
        metadata: Buffer.from(message.getCustomMetadata_asU8()),
      });
    }
  }

  /** The refusal that comes before anything is written; null where there is none. Only the data counts as its size. */
  refusal(): BatchAppendResp | null {
    const options = this.first.getOptions();
    if (this.rights.deniedStreams.has(this.stream)) return this.denied();
    if (!options?.hasStreamIdentifier())
      return this.failed('BadRequest', CODES.invalidArgument, new BadRequest().setMessage('no stream'));
    if (this.timeoutMs() <= 0) return this.timedOut();
    const size = this.events.reduce((sum, { data }) => sum + data.length, 0);
    const { mostAppendBytes } = this.rights;
    if (size > mostAppendBytes) {
      const details = new MaximumAppendSizeExceeded().setMaxappendsize(mostAppendBytes);
      return this.failed('MaximumAppendSizeExceeded', CODES.invalidArgument, details);
    }
    return null;
  }

  /** Writes, and answers with the outcome. */
  write(): BatchAppendResp {
    if (this.rights.deletedStreams.has(this.stream))
      return this.failed('StreamDeleted', CODES.notFound, new StreamDeleted());
    const options = this.first.getOptions();
    const expected = options?.hasStreamPosition() ? Number(options.getStreamPosition()) : 'no_stream';
    try {
      return this.succeeded(this.log.append(this.stream, this.events, expected));
    } catch (error) {
      if ((error as { type?: unknown }).type !== ErrorType.WRONG_EXPECTED_VERSION) throw error;
      const { actualVersion } = error as { actualVersion: bigint | 'no_stream' };
      const details = new WrongExpectedVersion();
      if (expected === 'no_stream') details.setExpectedNoStream(new Empty());
      else details.setExpectedStreamPosition(String(expected));
      if (actualVersion === 'no_stream') details.setCurrentNoStream(new Empty());
      else details.setCurrentStreamRevision(String(actualVersion));
      return this.failed('WrongExpectedVersion', CODES.alreadyExists, details);
    }
  }

  denied(): BatchAppendResp {
    return this.failed('AccessDenied', CODES.permissionDenied, new AccessDenied());
  }

  timedOut(): BatchAppendResp {
    return this.failed('Timeout', CODES.deadlineExceeded, new Timeout());
  }

  /** The answer of a server that is starting or is overloaded: details of nothing, and no code. */
  notHandled(message: string): BatchAppendResp {
    return this.response().setError(statusOf(0, message, 'google.protobuf.Empty', new Uint8Array()));
  }

  response(): BatchAppendResp {
    return new BatchAppendResp()
      .setCorrelationId(this.id)
      .setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from(this.stream)));
  }

  private succeeded(revision: bigint): BatchAppendResp {
    const position = new AllStreamPosition().setCommitPosition('0').setPreparePosition('0');
    const success = new BatchAppendResp.Success().setCurrentRevision(String(revision)).setPosition(position);
    return this.response().setSuccess(success);
  }

  private failed(name: string, code: number, details: Details): BatchAppendResp {
    return this.response().setError(statusOf(code, name, `${PACKAGE}.${name}`, details.serializeBinary()));
  }

  /** The time by the server's wall clock, when the client names a deadline; never longer than the server's own. */
  private timeoutMs(): number {
    const deadline = this.first.getOptions()?.getDeadline();
    const asked = deadline ? deadline.toDate().getTime() - this.rights.now() : WRITE_TIMEOUT_MS;
    return Math.min(asked, WRITE_TIMEOUT_MS);
  }
}

/** The client's package exports no class for packed details; an instance that is read from no bytes takes any. */
function statusOf(code: number, message: string, detailsName: string, details: Uint8Array): Status {
  const status = Status.deserializeBinary(STATUS_OF_EMPTY_DETAILS);
  status.getDetails()?.pack(details, detailsName);
  return status.setCode(code).setMessage(message);
}
