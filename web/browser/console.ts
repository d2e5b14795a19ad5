import { startAsking } from './asks';
import { startCopying } from './copy';
import { startLive } from './live';
import { startPasskeys } from './passkeys';
import { showScripted } from './page-parts';
import { sendOnce } from './send-once';

/** The script of the dashboard's pages. */
const look = startLive(showScripted);
startAsking(look);
startCopying();
startPasskeys();
sendOnce();
showScripted();
