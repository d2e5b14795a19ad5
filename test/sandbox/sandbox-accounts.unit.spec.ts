import { HDNodeWallet } from 'ethers';
import { DEVELOPMENT_KEY, DEVELOPMENT_PHRASE } from '../../src/sandbox/sandbox-accounts';

it('the key of the accounts is that of the phrase which the local nodes take', () => {
  const parent = HDNodeWallet.fromPhrase(DEVELOPMENT_PHRASE, '', "m/44'/60'/0'/0");
  expect(parent.extendedKey).toBe(DEVELOPMENT_KEY);
});
