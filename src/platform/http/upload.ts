import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { cleanFileName } from '../../vocabulary/file-names';
import { isRefusal, refuse, type Refusal } from '../../vocabulary/errors';
import { receiveBody } from './body-bytes';
import type { ApiRequest } from './caller';
import { checkSender, formOf, refuseField, type FormBody } from './form-body';

export const UPLOAD_TERMS = Symbol('upload terms');

/** The names of a form's text fields and of its one file, and the greatest size of that. */
export type UploadTerms = { readonly fields: readonly string[]; readonly file: string; readonly maxBytes: number };

/** The name is clean, and tells nothing for sure about the content. */
type UploadedFile = { readonly name: string; readonly bytes: Buffer };

/** A form with one file, or with the refusal of the file, which the form's own page can show beside the field. */
export type Upload = { readonly form: FormBody } & (
  { readonly file: UploadedFile; readonly fault: null } | { readonly file: null; readonly fault: Refusal }
);

/** Throws the refusal of the file. */
export function fileOf({ file, fault }: Upload): UploadedFile {
  if (fault !== null) throw fault;
  return file;
}

const UPLOAD_TYPE = /^multipart\/form-data *; *boundary=(?:"(?<quoted>[^"\r\n]+)"|(?<bare>[^\s";,]+)) *$/i;
/** RFC 2046. */
const BOUNDARY_LENGTH = 70;
/** The bytes of a form beside its file. */
const FIELDS_LIMIT_BYTES = 65_536;
const FIELD_LIMIT_BYTES = 8_192;
const HEADER_LIMIT_BYTES = 4_096;
const HEADERS_LIMIT = 8;
/** Uploads that a process reads at once: their bytes are in memory, some twenty megabytes each. */
export const UPLOADS_AT_ONCE = 16;
/** Uploads of one account among them, however slowly its people send. */
export const UPLOADS_OF_ACCOUNT = 4;
const BUSY_RETRY_SECONDS = 5;
const TEXT = 'text/plain';
const BYTES_A_MEGABYTE = 1_048_576;

/** The route takes a form of a page with these text fields and one file, all in memory, in place of JSON. */
export const TakesUpload = (terms: UploadTerms) => SetMetadata(UPLOAD_TERMS, terms);

/** The form and the file of a route that takes an upload. */
export const SentUpload = createParamDecorator((_: unknown, context: ExecutionContext): Upload => {
  return context.switchToHttp().getRequest<{ body: Upload }>().body;
});

/** Reads uploads, a limited number of them at once. */
export class Uploads {
  /** The account of each upload under way. */
  private readonly underWay: string[] = [];

  /** Throws the refusals of `readUpload`, and rate_limit where too many uploads are being read. */
  async read(request: ApiRequest, terms: UploadTerms): Promise<Upload> {
    const account = request.readerMerchantId ?? '';
    const own = this.underWay.filter(each => each === account).length;
    if (this.underWay.length >= UPLOADS_AT_ONCE || own >= UPLOADS_OF_ACCOUNT)
      throw refuse('rate_limit', { retryAfterSeconds: BUSY_RETRY_SECONDS });
    this.underWay.push(account);
    try {
      return await readUpload(request, terms);
    } finally {
      this.underWay.splice(this.underWay.indexOf(account), 1);
    }
  }
}

/**
 * The fields and the file of a form that one of the service's own pages has sent. A file that is too large or missing
 * is answered as its fault. Behind a file that is too large, no field is read. Throws Refusal permission_denied for a
 * form of another site, unsupported_media_type, request_too_large, request_aborted, and invalid_request for a form
 * that is not whole. Throws parameter_invalid for a field that is unknown or repeated, and parameter_missing.
 */
async function readUpload(request: ApiRequest, terms: UploadTerms): Promise<Upload> {
  checkSender(request);
  const { raw } = request;
  const { quoted, bare } = UPLOAD_TYPE.exec(raw.headers['content-type'] ?? '')?.groups ?? {};
  const boundary = quoted ?? bare;
  if (boundary === undefined || boundary.length > BOUNDARY_LENGTH) throw refuse('unsupported_media_type');
  const reading = new UploadReading(raw.headers as BusboyHeaders, terms);
  const limitBytes = terms.maxBytes + FIELDS_LIMIT_BYTES;
  try {
    // A browser shows the answer only after it has sent the whole file, so as much again is read.
    const receiving = { limitBytes, drainBytes: limitBytes, readsBeginning: true } as const;
    await receiveBody(raw, { ...receiving, take: chunk => reading.take(chunk) });
  } catch (error) {
    if (isRefusal(error, 'request_too_large')) return reading.cutShort(error);
    throw error;
  }
  return reading.finish();
}

/** The parts of one upload, as they come in. The first fault of them is the refusal. */
class UploadReading {
  private readonly parser: BusboyInstance;
  private readonly form = new Map<string, string>();
  private readonly chunks: Buffer[] = [];
  private fileName: string | null = null;
  private fault: Refusal | null = null;

  constructor(
    headers: BusboyHeaders,
    private readonly terms: UploadTerms,
  ) {
    const { fields, maxBytes } = terms;
    this.parser = new Busboy({
      headers,
      limits: {
        fieldSize: FIELD_LIMIT_BYTES,
        fileSize: maxBytes,
        // One part more than there are, so that it is refused by its name.
        parts: fields.length + 2,
        headerPairs: HEADERS_LIMIT,
        headerSize: HEADER_LIMIT_BYTES,
      },
      isPartAFile: (_, __, name) => name !== undefined,
    });
    this.parser.on('field', (name, value, _, isCut, __, type) => this.takeField(name, value, isCut || type !== TEXT));
    this.parser.on('file', (name, stream, fileName) => this.takeFile(name, stream, fileName));
    this.parser.on('partsLimit', () =>
      this.fail(refuse('parameter_invalid', { message: 'The form has no such part.' })),
    );
    this.parser.on('error', () => this.fail(broken()));
  }

  /** Throws the refusal of the parts that have come in. */
  take(chunk: Buffer): void {
    this.parser.write(chunk);
    this.throwFault();
  }

  async finish(): Promise<Upload> {
    this.throwFault();
    await new Promise<void>(resolve => {
      this.parser.once('finish', resolve).once('error', () => resolve());
      this.parser.end();
    });
    this.throwFault();
    const form = formOf(this.form, this.terms.fields);
    // A browser sends a file without a name and a byte where none was chosen.
    const bytes = Buffer.concat(this.chunks);
    if (this.fileName === null || bytes.length === 0)
      return { form, file: null, fault: refuse('parameter_missing', { param: this.terms.file }) };
    return { form, file: { name: this.fileName, bytes }, fault: null };
  }

  /** The form of a body that was too large, up to the limit. Throws `refusal` where a field is missing by then. */
  cutShort(refusal: Refusal): Upload {
    const { file, fields } = this.terms;
    if (this.fileName === null || !fields.every(name => this.form.has(name))) throw refusal;
    this.chunks.length = 0;
    return { form: formOf(this.form, fields), file: null, fault: this.tooLarge(file) };
  }

  private tooLarge(param: string): Refusal {
    const message = `This file is larger than ${this.terms.maxBytes / BYTES_A_MEGABYTE} MB.`;
    return refuse('request_too_large', { param, message });
  }

  private takeField(name: string, value: string, isUnfit: boolean): void {
    this.orFail(() => {
      refuseField(name, this.terms.fields, this.form);
      if (isUnfit) throw refuse('parameter_invalid', { param: name, message: 'This is no text, or it is too long.' });
      this.form.set(name, value);
    });
  }

  private takeFile(name: string, stream: BusboyFileStream, fileName: string): void {
    // A part that breaks off is told by the parser too.
    stream.on('error', () => undefined);
    stream.on('limit', () => this.fail(this.tooLarge(this.terms.file)));
    stream.on('data', (chunk: Buffer) => void (this.fault === null && this.chunks.push(chunk)));
    this.orFail(() => {
      if (name !== this.terms.file || this.fileName !== null)
        throw refuse('parameter_invalid', { param: name, message: 'The form takes one file, in its own field.' });
      this.fileName = cleanFileName(fileName);
    });
  }

  private orFail(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(error as Refusal);
    }
  }

  private throwFault(): void {
    if (this.fault) throw this.fault;
  }

  private fail(refusal: Refusal): void {
    this.fault ??= refusal;
    this.chunks.length = 0;
  }
}

function broken(): Refusal {
  return refuse('invalid_request', { message: 'The form is not whole: a browser sends it as one piece.' });
}
