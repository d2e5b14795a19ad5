import fc from 'fast-check';
import { utils } from 'tronweb';
import { encodeMessage, decodeMessage } from '../../src/sandbox/tron/protobuf';
import { enveloped, evmForm, openEnvelope } from '../../src/sandbox/tron/tron-envelope';
import {
  decodeCall,
  decodeSigned,
  encodeCall,
  encodeSigned,
  rawDataJson,
  transactionId,
  type ContractCall,
} from '../../src/sandbox/tron/tron-transaction';

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(each => Buffer.from(each).toString('hex'));
const someHex = (most: number) =>
  fc.uint8Array({ minLength: 1, maxLength: most }).map(each => Buffer.from(each).toString('hex'));
const address = hex(20).map(digits => `41${digits}`);
const calls: fc.Arbitrary<ContractCall> = fc.record({
  ownerAddress: address,
  contractAddress: address,
  data: someHex(300),
  refBlockBytes: hex(2),
  refBlockHash: hex(8),
  expirationMs: fc.integer({ min: 1, max: 2 ** 45 }),
  timestampMs: fc.integer({ min: 1, max: 2 ** 45 }),
  feeLimitSun: fc.integer({ min: 1, max: 15_000_000_000 }),
  memo: fc.oneof(fc.constant(''), someHex(40)),
  callValueSun: fc.nat(),
});
const signature = Buffer.alloc(65, 7);
const CALL: ContractCall = {
  ownerAddress: `41${'0a'.repeat(20)}`,
  contractAddress: `41${'0b'.repeat(20)}`,
  data: `a9059cbb${'00'.repeat(64)}`,
  refBlockBytes: '000c',
  refBlockHash: '9b6b193d3670e32a',
  expirationMs: 1_795_268_621_000,
  timestampMs: 1_795_268_561_271,
  feeLimitSun: 100_000_000,
  memo: '',
  callValueSun: 0,
};
/** The node's transaction that carries a call out. */
const carrying = (call: ContractCall, input: string) => ({
  from: evmForm(call.ownerAddress),
  to: evmForm(call.contractAddress),
  input,
});

test('what is encoded is what TRON’s own library encodes, and its id the same', () => {
  fc.assert(
    fc.property(calls, call => {
      const protobuf: unknown = utils.transaction.txJsonToPb({
        raw_data: rawDataJson(call, each => each),
        visible: false,
      });
      expect(encodeCall(call).toString('hex')).toBe(utils.transaction.txPbToRawDataHex(protobuf).toLowerCase());
      expect(`0x${transactionId(encodeCall(call))}`).toBe(utils.transaction.txPbToTxID(protobuf));
    }),
  );
});

test('a call is read back as it was written', () => {
  fc.assert(fc.property(calls, call => expect(decodeCall(encodeCall(call))).toEqual(call)));
});

test.each([
  ['nothing', ''],
  ['text', Buffer.from('hello').toString('hex')],
  ['a call that breaks off', encodeCall(CALL).subarray(0, -3).toString('hex')],
  ['a number above 2^53', `40${'ff'.repeat(9)}01`],
  ['a field of another wire type', '0d00000000'],
  ['a field that the local chain does not carry out', `${encodeCall(CALL).toString('hex')}2a0101`],
  ['an owner without the prefix', encodeCall({ ...CALL, ownerAddress: `42${'0a'.repeat(20)}` }).toString('hex')],
])('%s is no call', (_name, bytes) => {
  expect(() => decodeCall(Buffer.from(bytes, 'hex'))).toThrow();
});

test('a message of too many fields is not read to its end', () => {
  const fields = Array.from({ length: 65 }, () => ({ number: 1, value: 1 }));
  expect(() => decodeMessage(encodeMessage(fields))).toThrow('64 fields');
});

test('a signed transaction is read back; a result that somebody wrote into it is left out', () => {
  const rawData = encodeCall(CALL);
  const written = Buffer.concat([encodeSigned({ rawData, signatures: [signature] }), Buffer.from('2a021801', 'hex')]);
  expect(decodeSigned(written)).toEqual({ rawData, signatures: [signature] });
});

describe('the transaction that the node carries out', () => {
  test('begins with the call’s data and tells which TRON transaction it is', () => {
    fc.assert(
      fc.property(calls, call => {
        const signed = { rawData: encodeCall(call), signatures: [signature] };
        const input = enveloped(call, signed);
        expect(input.startsWith(`0x${call.data}`)).toBe(true);
        expect(openEnvelope(carrying(call, input))).toEqual({ id: transactionId(signed.rawData), call, signed });
      }),
    );
  });

  const input = enveloped(CALL, { rawData: encodeCall(CALL), signatures: [signature] });
  const own = carrying(CALL, input);
  test.each([
    ['another sender', { ...own, from: evmForm(CALL.contractAddress) }],
    ['another contract', { ...own, to: evmForm(CALL.ownerAddress) }],
    ['no contract', { ...own, to: null }],
    ['other data', { ...own, input: `0xff${input.slice(4)}` }],
    ['less data', { ...own, input: `0x${input.slice(4)}` }],
    ['no envelope', { ...own, input: `0x${CALL.data}` }],
    ['nothing', { ...own, input: '0x' }],
    ['the mark alone', { ...own, input: `0x${Buffer.from('TRON').toString('hex')}` }],
    ['a length beyond its input', { ...own, input: `0xffff${Buffer.from('TRON').toString('hex')}` }],
    ['what is no transaction', { ...own, input: `0x00010001${Buffer.from('TRON').toString('hex')}` }],
  ])('with %s carries none', (_name, transaction) => {
    expect(openEnvelope(own)).not.toBeNull();
    expect(openEnvelope(transaction)).toBeNull();
  });
});
