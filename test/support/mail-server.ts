import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = { readonly from: string; readonly to: readonly string[]; readonly source: string };

/** A real SMTP server on this machine that keeps its messages. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  attempts = 0;
  logins = 0;
  /** The reply to each recipient: an SMTP code such as 451, or null to take it. */
  refuseWith: number | null = null;
  private readonly server: SMTPServer;

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (auth, _session, callback) => {
        this.logins += 1;
        if (auth.password === 'right') callback(null, { user: auth.username ?? '' });
        else callback(new Error('wrong login'));
      },
      onRcptTo: (_address, _session, callback) => {
        this.attempts += 1;
        if (this.refuseWith === null) return callback();
        callback(Object.assign(new Error('not now'), { responseCode: this.refuseWith }));
      },
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          const from = mailFrom === false ? '' : mailFrom.address;
          const source = Buffer.concat(chunks).toString('utf8');
          this.received.push({ from, to: rcptTo.map(({ address }) => address), source });
          callback();
        });
      },
    });
    // A client that goes away in the middle is no fault of the server's.
    this.server.on('error', () => undefined);
  }

  static async start(): Promise<MailServer> {
    const mail = new MailServer();
    await new Promise<void>(resolve => mail.server.listen(0, '127.0.0.1', resolve));
    return mail;
  }

  url(login = '', host = '127.0.0.1'): string {
    return `smtp://${login}${host}:${(this.server.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>(resolve => this.server.close(resolve));
  }
}
