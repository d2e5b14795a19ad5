import { ErrorType, NO_STREAM } from '@eventstore/db-client';
import { Empty, StreamIdentifier, UUID, WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb';
import type { Status } from '@eventstore/db-client/generated/status_pb';
import { BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { AppendRequest } from './event-store-client';
import type { EncodedEvent } from './event-codec';

const WRONG_EXPECTED_VERSION = 'event_store.client.WrongExpectedVersion';
/** The server's refusals and failures of one append; the other appends of the call go on. */
const TYPES: ReadonlyMap<string, ErrorType> = new Map([
  [WRONG_EXPECTED_VERSION, ErrorType.WRONG_EXPECTED_VERSION],
  ['event_store.client.StreamDeleted', ErrorType.STREAM_DELETED],
  ['event_store.client.AccessDenied', ErrorType.ACCESS_DENIED],
  ['event_store.client.MaximumAppendSizeExceeded', ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED],
  ['event_store.client.BadRequest', ErrorType.INVALID_ARGUMENT],
  ['event_store.client.Timeout', ErrorType.DEADLINE_EXCEEDED],
]);
/** Numbers of appends begin at 1. */
const NO_NUMBER = 0;

/** An error that, like the client's own errors, is known by its type. */
type TypedError = Error & { readonly type: ErrorType; readonly actualVersion?: bigint | typeof NO_STREAM };

type AppendAnswer =
  { readonly number: number; readonly revision: bigint } | { readonly number: number; readonly error: TypedError };

/**
 * One append in one message. The message names no deadline: the server has a time-out of its own. The server would
 * compare a deadline with its own wall clock, and refuse every append of a machine whose clock is behind.
 */
export function appendMessage({ number, stream, expected, events }: AppendRequest): BatchAppendReq {
  const options = new BatchAppendReq.Options().setStreamIdentifier(
    new StreamIdentifier().setStreamName(Buffer.from(stream)),
  );
  if (expected === NO_STREAM) options.setNoStream(new Empty());
  else options.setStreamPosition(String(expected));
  return new BatchAppendReq()
    .setCorrelationId(uuidOf(number))
    .setOptions(options)
    .setProposedMessagesList(events.map(proposedMessage))
    .setIsFinal(true);
}

function proposedMessage({ id, type, data, metadata }: EncodedEvent): BatchAppendReq.ProposedMessage {
  const message = new BatchAppendReq.ProposedMessage()
    .setId(new UUID().setString(id))
    .setData(data)
    .setCustomMetadata(metadata);
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}

function uuidOf(number: number): UUID {
  return new UUID().setStructured(
    new UUID.Structured().setMostSignificantBits('0').setLeastSignificantBits(String(number)),
  );
}

/** Never throws, whatever the server has sent. An answer to no known append has the number NO_NUMBER. */
export function appendAnswer(response: BatchAppendResp): AppendAnswer {
  const number = Number(response.getCorrelationId()?.getStructured()?.getLeastSignificantBits() ?? NO_NUMBER);
  try {
    const success = response.getSuccess();
    if (success) return { number, revision: BigInt(success.getCurrentRevision()) };
    return { number, error: appendError(response.getError()) };
  } catch (error) {
    const message = `the answer to the append cannot be read: ${(error as Error).message}`;
    return { number, error: typedError(ErrorType.UNKNOWN, message) };
  }
}

function appendError(status: Status | undefined): TypedError {
  const details = status?.getDetails();
  const type = TYPES.get(details?.getTypeName() ?? '') ?? ErrorType.UNKNOWN;
  const error = typedError(type, status?.getMessage() ?? 'an answer of nothing');
  const wrong = details?.unpack(WrongExpectedVersion.deserializeBinary, WRONG_EXPECTED_VERSION);
  if (!wrong) return error;
  const actualVersion = wrong.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : NO_STREAM;
  return Object.assign(error, { actualVersion });
}

export function typedError(type: ErrorType, message: string, cause?: unknown): TypedError {
  return Object.assign(new Error(message, { cause }), { type });
}
