import { startAsking } from './asks';
import { startCopying } from './copy';
import { startCountdown } from './countdown';
import { startLive } from './live';
import { startPasskeys } from './passkeys';
import { guarded, showScripted } from './page-parts';
import { sendOnce } from './send-once';
import { startEvmWallets } from './wallet-evm';
import { signByEvm, signByTron } from './wallet-signatures';
import { startTronWallets } from './wallet-tron';
import { showWallets } from './wallets';

/** The script of the dashboard's pages. The order keeps wallets from all that came before them. */
function enhance(): void {
  showScripted();
  guarded(showWallets);
}

const look = startLive(enhance);
startAsking(look);
startCountdown(look);
startCopying();
startPasskeys();
sendOnce();
enhance();
if (document.querySelector('[data-wallet]')) {
  guarded(() => startEvmWallets(signByEvm));
  guarded(() => startTronWallets(signByTron));
}
