import { TOKENS } from '../../../src/vocabulary/tokens';
import { payUri } from '../../../src/modules/quotes/pay-uri';

const EVM_ADDRESS = '0x00000000219ab540356cBB839Cbe05303d7705Fa';
const TRON_ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

test.each([
  ['usdt-bnb', 'live', EVM_ADDRESS, 25_000_001n * 10n ** 12n,
    `ethereum:0x55d398326f99059fF775485246999027B3197955@56/transfer?address=${EVM_ADDRESS}&uint256=25000001000000000000`],
  ['usdt-bnb', 'test', EVM_ADDRESS, 1n,
    `ethereum:0x337610d27c682E347C9cD60BD4b3b107C9d34dDd@97/transfer?address=${EVM_ADDRESS}&uint256=1`],
  ['usdc-base', 'live', EVM_ADDRESS, 25_000_010n,
    `ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=${EVM_ADDRESS}&uint256=25000010`],
  ['usdt-tron', 'live', TRON_ADDRESS, 25_000_010n, `tron:${TRON_ADDRESS}?amount=25.00001&token=TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t`],
  ['usdc-base', 'test', EVM_ADDRESS, 20_000n,
    `ethereum:0x036CbD53842c5426634e7929541eC2318f3dCF7e@84532/transfer?address=${EVM_ADDRESS}&uint256=20000`],
  ['usdt-tron', 'test', TRON_ADDRESS, 3_000_000n, `tron:${TRON_ADDRESS}?amount=3&token=TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf`],
] as const)('%s in %s mode', (token, mode, address, due, expected) => {
  expect(payUri(TOKENS[token], mode, address, due)).toBe(expected);
}); // prettier-ignore
