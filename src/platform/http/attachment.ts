import type { FastifyReply } from 'fastify';

type Attachment = { readonly name: string; readonly type: string; readonly bytes: Buffer };

/** Whatever the file holds, no browser runs it: it is saved, and a viewer of it has no rights. */
const POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";
const NOT_PLAIN = /[^\x20-\x7e]|["\\]/g;
/** Characters that RFC 5987 takes only encoded, and `encodeURIComponent` leaves as they are. */
const LEFT_PLAIN = /['()*]/g;

/** Sends a file that people have sent before, to be saved. */
export function sendAttachment(reply: FastifyReply, { name, type, bytes }: Attachment): void {
  const encoded = encodeURIComponent(name).replaceAll(
    LEFT_PLAIN,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  void reply
    .header(
      'content-disposition',
      `attachment; filename="${name.replaceAll(NOT_PLAIN, '_')}"; filename*=UTF-8''${encoded}`,
    )
    .header('content-security-policy', POLICY)
    .type(type)
    .send(bytes);
}
