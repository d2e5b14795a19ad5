import { startCopying } from './copy';
import { startCountdown } from './countdown';
import { startLive } from './live';
import { guarded, showScripted } from './page-parts';
import { startEvmWallets } from './wallet-evm';
import { payByEvm, payByTron } from './wallet-payments';
import { startTronWallets } from './wallet-tron';
import { showWallets } from './wallets';

/** The script of checkout's pages. The order keeps wallets from all that came before them. */
function enhance(): void {
  showScripted();
  guarded(showWallets);
}

document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-print]')) print();
});
const look = startLive(enhance);
startCountdown(look);
startCopying();
enhance();
guarded(() => startEvmWallets(payByEvm));
guarded(() => startTronWallets(payByTron));
