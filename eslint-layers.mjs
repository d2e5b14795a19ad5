import { posix, relative, resolve, sep } from 'node:path';

const ANY = '*';
const NEST = { '@nestjs/common': ANY, '@nestjs/cqrs': ANY };
/**
 * Pure functions of packages that can also reach out: hashes without a generator, addresses without a socket or a
 * provider.
 */
const HASHES = {
  'node:crypto': ['hash', 'createHash', 'createHmac', 'Hash', 'hkdfSync', 'scrypt', 'timingSafeEqual'],
  'node:zlib': ['crc32'],
};
const ADDRESSES = {
  'node:net': ['BlockList', 'isIP', 'isIPv4', 'isIPv6'],
  ethers: [
    'decodeBase58',
    'encodeBase58',
    'getAddress',
    'getBytes',
    'hashMessage',
    'hexlify',
    'keccak256',
    'recoverAddress',
    'sha256',
    'toUtf8Bytes',
    'verifyMessage',
  ],
};
/** Makers of text: markup, messages, codes to scan, icons, names of statuses. */
const PAGES = {
  preact: ANY,
  'preact-render-to-string': ANY,
  'lean-qr': ANY,
  'intl-messageformat': ANY,
  '@iconify-json/lucide': ANY,
  'node:http': ['STATUS_CODES'],
};
const ARITHMETIC = { 'decimal.js': ANY };

/**
 * The layers, with the pattern of their files, their imports beside themselves, and their packages. The first pattern
 * that matches a file's path decides. There is no list of exemptions: an exemption is where an arrow turns.
 */
const LAYERS = [
  { name: 'vocabulary', files: /^src\/vocabulary\//, imports: [], packages: HASHES },
  { name: 'kernel', files: /^src\/kernel\//, imports: ['vocabulary'], packages: HASHES },
  // The contract's shape and the documentation's texts, which pages show.
  { name: 'contract', files: /^src\/platform\/docs\//, imports: ['vocabulary', 'kernel'], packages: {} },
  {
    name: 'http',
    files: /^src\/platform\/http\//,
    imports: ['vocabulary', 'kernel', 'contract', 'platform'],
    packages: ANY,
  },
  { name: 'platform', files: /^src\/platform\//, imports: ['vocabulary', 'kernel'], packages: ANY },
  {
    name: 'commands',
    files: /^src\/modules\/[^/]+\/(?:commands\/|[^/]+\.command(?:\.ts)?$)/,
    imports: ['vocabulary', 'kernel', 'domain'],
    packages: NEST,
  },
  // The schemas of `http` describe an answer, and its type follows from them.
  {
    name: 'queries',
    files: /^src\/modules\/[^/]+\/queries\//,
    imports: ['vocabulary', 'kernel', 'domain', 'http'],
    packages: { ...NEST, ...HASHES },
  },
  {
    name: 'api',
    files: /^src\/modules\/[^/]+\/api\//,
    imports: ['vocabulary', 'kernel', 'domain', 'commands', 'queries', 'http'],
    packages: NEST,
  },
  {
    name: 'module',
    files: /^src\/modules\/[^/]+\/[^/]+\.module(\.ts)?$/,
    imports: ['vocabulary', 'kernel', 'domain', 'commands', 'queries', 'api'],
    packages: NEST,
  },
  {
    name: 'domain',
    files: /^src\/modules\/[^/]+\/[^/]+$/,
    imports: ['vocabulary', 'kernel'],
    packages: { ...HASHES, ...ADDRESSES, ...ARITHMETIC, otplib: ANY, zod: ANY },
  },
  {
    name: 'processes',
    files: /^src\/processes\//,
    imports: ['vocabulary', 'kernel', 'domain', 'commands', 'queries'],
    packages: { ...NEST, ...HASHES, ...ARITHMETIC },
  },
  {
    name: 'watchers',
    files: /^src\/watchers\//,
    imports: ['vocabulary', 'kernel', 'domain', 'commands', 'processes'],
    packages: NEST,
  },
  {
    name: 'projections',
    files: /^projections\/[^/]+\.projection(\.ts)?$/,
    imports: ['vocabulary', 'kernel', 'domain'],
    packages: {},
  },
  { name: 'runner', files: /^projections\//, imports: ['vocabulary', 'kernel', 'projections'], packages: HASHES },
  // The sandbox is loaded where a local chain runs, and by no static import.
  {
    name: 'sandbox',
    files: /^src\/sandbox\//,
    imports: ['vocabulary', 'kernel', 'domain', 'commands', 'platform'],
    packages: ANY,
  },
  // A script for browsers imports other scripts alone.
  { name: 'browser', files: /^web\/browser\//, imports: [], packages: {} },
  // A page is a pure function of what it shows.
  {
    name: 'parts',
    files: /^web\/(?:parts\/|words\/|messages\/|[^/]+\/screens\/|[^/]+\/[^/]+\.page(?:\.tsx)?$)/,
    imports: ['vocabulary', 'kernel', 'contract', 'domain', 'queries', 'api'],
    packages: PAGES,
  },
  {
    name: 'web',
    files: /^web\//,
    imports: ['vocabulary', 'kernel', 'domain', 'commands', 'queries', 'api', 'http', 'contract', 'platform', 'parts'],
    packages: ANY,
  },
  {
    name: 'composition',
    files: /^src\/composition\//,
    imports: [
      'web',
      'vocabulary',
      'kernel',
      'http',
      'platform',
      'commands',
      'queries',
      'api',
      'module',
      'domain',
      'processes',
      'watchers',
      'sandbox',
      'runner',
      'projections',
    ],
    packages: ANY,
  },
  // The programs: no other layer may import the composition, and no layer may import the programs.
  { name: 'program', files: /^src\/(cli\/|main(\.ts)?$)/, imports: ANY, packages: ANY },
];

/** Every file below has its layer. */
const LAYERED = /^(src|projections|web)\//;
const MODULE_OF = /^src\/modules\/([^/]+)\//;
const DECIDER = /\.decider(\.ts)?$/;

/**
 * The layer of a path relative to the project, with or without its extension; null for a path in none, such as a
 * test's.
 */
function layerOf(path) {
  return LAYERS.find(({ files }) => files.test(path)) ?? null;
}

function packageOf(source) {
  return source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/');
}

function mayImport(layer, target) {
  return target === layer || layer.imports === ANY || layer.imports.includes(target.name);
}

/** `names` are the imported names; null where the whole package is taken. */
function mayUse(layer, source, names) {
  if (layer.packages === ANY) return true;
  const allowed = layer.packages[packageOf(source)] ?? [];
  return allowed === ANY || (names !== null && names.length > 0 && names.every(name => allowed.includes(name)));
}

function namesOf(specifiers) {
  return specifiers.every(each => each.imported) ? specifiers.map(each => each.imported.name) : null;
}

/** Null, or the message and its words. */
function judge(from, layer, source, names) {
  if (!source.startsWith('.'))
    return mayUse(layer, source, names) ? null : { messageId: 'package', data: { layer: layer.name, source } };
  const target = posix.normalize(posix.join(posix.dirname(from), source));
  const targetLayer = layerOf(target);
  if (!targetLayer) return { messageId: 'outside', data: { layer: layer.name, target } };
  if (!mayImport(layer, targetLayer))
    return { messageId: 'arrow', data: { layer: layer.name, target, targetLayer: targetLayer.name } };
  const [own, other] = [MODULE_OF.exec(from)?.[1], MODULE_OF.exec(target)?.[1]];
  if (own && other && own !== other && DECIDER.test(target)) return { messageId: 'decider', data: { own, target } };
  return null;
}

const arrows = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      arrow: '{{layer}} must not import {{target}}, which is {{targetLayer}}: arrows point inward.',
      package: '{{layer}} must not use the package {{source}}, or not all of what it takes from it.',
      decider: 'The module {{own}} must not import the decider {{target}} of another module.',
      outside: '{{layer}} must not import {{target}}, which is in no layer.',
      homeless: 'A file of src, projections or web lies in a layer, and this one in none.',
    },
  },
  create(context) {
    const from = relative(context.cwd, resolve(context.filename)).split(sep).join('/');
    const layer = layerOf(from);
    if (!layer) return LAYERED.test(from) ? { Program: node => context.report({ node, messageId: 'homeless' }) } : {};
    const check = (node, names = null) => {
      if (typeof node?.value !== 'string') return;
      const problem = judge(from, layer, node.value, names);
      if (problem) context.report({ node, ...problem });
    };
    return {
      ImportDeclaration: node => check(node.source, namesOf(node.specifiers)),
      ImportExpression: node => check(node.source),
      ExportAllDeclaration: node => check(node.source),
      ExportNamedDeclaration: node =>
        check(
          node.source,
          node.specifiers.map(each => each.local.name),
        ),
      TSImportType: node => check(node.source),
      TSExternalModuleReference: node => check(node.expression),
      "CallExpression[callee.name='require']": node => check(node.arguments[0]),
    };
  },
};

export default { rules: { arrows } };
