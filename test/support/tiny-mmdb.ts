/** A network by its first bits, and the code of its country. */
export type MmdbNetwork = { readonly address: string; readonly bits: number; readonly country: string };

const MARKER = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
const RECORD_BYTES = 3;
/** Data begins so many bytes behind the tree. */
const SEPARATOR = 16;
const V4_PREFIX = 96;
const [MAP, TEXT, U16, U32, U64, ARRAY] = [7, 2, 5, 6, 9, 11];

type Node = [Node | number | null, Node | number | null];

/** A database of countries in MaxMind's format, of IPv4 networks alone. */
export function tinyMmdb(networks: readonly MmdbNetwork[]): Buffer {
  const root: Node = [null, null];
  const data: Buffer[] = [];
  for (const { address, bits, country } of networks) {
    const place = data.reduce((sum, { length }) => sum + length, 0);
    data.push(mapOf({ country: mapOf({ iso_code: textOf(country) }) }));
    insert(root, '0'.repeat(V4_PREFIX) + bitsOf(address).slice(0, bits), place);
  }
  const nodes: Node[] = [];
  number(root, nodes);
  const tree = nodes.flatMap(node => node.map(each => recordOf(each, nodes)));
  const metadata = mapOf({
    node_count: numberOf(U32, nodes.length),
    record_size: numberOf(U16, RECORD_BYTES * 8),
    ip_version: numberOf(U16, 6),
    database_type: textOf('Test-Country'),
    languages: control(ARRAY, 0),
    binary_format_major_version: numberOf(U16, 2),
    binary_format_minor_version: numberOf(U16, 0),
    build_epoch: numberOf(U64, 1_790_000_000),
    description: mapOf({}),
  });
  return Buffer.concat([...tree, Buffer.alloc(SEPARATOR), ...data, MARKER, metadata]);
}

function bitsOf(address: string): string {
  return address
    .split('.')
    .map(part => Number(part).toString(2).padStart(8, '0'))
    .join('');
}

function insert(root: Node, path: string, place: number): void {
  let node = root;
  for (const bit of path.slice(0, -1)) {
    const next = (node[Number(bit) as 0 | 1] ??= [null, null]);
    if (typeof next === 'number') throw new RangeError('a network lies within another one');
    node = next;
  }
  node[Number(path.at(-1)) as 0 | 1] = place;
}

function number(node: Node, nodes: Node[]): void {
  nodes.push(node);
  for (const each of node) if (Array.isArray(each)) number(each, nodes);
}

function recordOf(target: Node[0], nodes: readonly Node[]): Buffer {
  const empty = nodes.length;
  const value =
    target === null ? empty : typeof target === 'number' ? empty + SEPARATOR + target : nodes.indexOf(target);
  const record = Buffer.alloc(RECORD_BYTES);
  record.writeUIntBE(value, 0, RECORD_BYTES);
  return record;
}

/** Types beyond 7 are written behind the size. */
function control(type: number, size: number): Buffer {
  return type <= 7 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7]);
}

function textOf(text: string): Buffer {
  return Buffer.concat([control(TEXT, text.length), Buffer.from(text)]);
}

function numberOf(type: number, value: number): Buffer {
  const size = type === U16 ? 2 : type === U32 ? 4 : 6;
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return Buffer.concat([control(type, size), bytes]);
}

function mapOf(members: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(members);
  return Buffer.concat([control(MAP, entries.length), ...entries.flatMap(([name, value]) => [textOf(name), value])]);
}
