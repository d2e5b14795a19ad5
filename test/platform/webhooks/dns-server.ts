import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const TYPES = { 1: 'A', 28: 'AAAA' } as const;
type RecordType = 'A' | 'AAAA';

/** A name server whose every answer a test decides; it answers with a time to live of 0. */
export class DnsServer {
  queries = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly answer: (name: string, type: RecordType) => readonly string[] | 'silence',
  ) {}

  static async start(answer: (name: string, type: RecordType) => readonly string[] | 'silence'): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const server = new DnsServer(socket, answer);
    socket.on('message', (query, { port, address }) => {
      const reply = server.reply(query);
      if (reply) socket.send(reply, port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  get address(): string {
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private reply(query: Buffer): Buffer | null {
    const { name, end } = readName(query);
    const type = TYPES[query.readUInt16BE(end) as keyof typeof TYPES];
    this.queries += 1;
    const addresses = this.answer(name, type);
    if (addresses === 'silence') return null;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const question = query.subarray(12, end + 4);
    return Buffer.concat([header, question, ...addresses.map(address => record(type, address))]);
  }
}

function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
    labels.push(query.toString('ascii', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: offset + 1 };
}

/** The name as a pointer to the question, type, class, time to live, length, address. */
function record(type: RecordType, address: string): Buffer {
  const data = type === 'A' ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type === 'A' ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address
    .split('::')
    .map(part => part.split(':').filter(group => group !== '')) as unknown as [string[], string[]];
  const groups = [...head, ...new Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return Buffer.concat(groups.map(group => Buffer.from(group.padStart(4, '0'), 'hex')));
}
