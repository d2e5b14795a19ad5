import type { FastifyReply } from 'fastify';

const SEE_OTHER = 303;
const OK = 200;

/** Thrown where a request is led elsewhere: no step and no handler behind runs. */
export class Detour extends Error {
  override readonly name = 'Detour';

  private constructor(
    private readonly status: number,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly body: string,
  ) {
    super('the request is led elsewhere');
  }

  static to(location: string): Detour {
    return new Detour(SEE_OTHER, { location }, '');
  }

  /**
   * A browser sends no strict cookie with a link of another site, such as a mail's. This page has the browser ask once
   * more, by itself and so with the cookie. The page names no address.
   */
  static again(): Detour {
    const body = '<!doctype html><html lang="en"><title>Quittance</title><meta http-equiv="refresh" content="0">';
    return new Detour(OK, { 'content-type': 'text/html; charset=utf-8' }, body);
  }

  send(reply: FastifyReply): void {
    void reply.status(this.status).headers(this.headers).send(this.body);
  }
}
