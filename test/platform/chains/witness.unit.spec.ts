import { witnessOf } from '../../../src/platform/chains/providers/witness';

test.each([
  ['https://rpc.example.com/secret-key', 'rpc.example.com'],
  ['https://rpc.example.com:8545/', 'rpc.example.com'],
  ['https://RPC.example.com.:8546/other-key', 'rpc.example.com'],
  ['http://10.0.0.7:8545', '10.0.0.7'],
  ['http://localhost:8545', 'localhost:8545'],
  ['http://127.0.0.1:8545/key', '127.0.0.1:8545'],
  ['http://127.1:8545', '127.0.0.1:8545'],
  ['http://[::1]:8545', '[::1]:8545'],
  ['http://localhost', 'localhost'],
  ['http://localhost.example.com:8545', 'localhost.example.com'],
])('%s is the word of %s', (url, witness) => {
  expect(witnessOf(url)).toBe(witness);
});
