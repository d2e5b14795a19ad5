import type { Mode } from '../../vocabulary/modes';
import type { Screening } from '../../kernel/ports/screening';
import type { NetworkId } from '../../vocabulary/networks';

/** One screening of a panel. */
export interface ScreeningMember extends Screening {
  /** The name in verdicts and errors. */
  readonly name: string;
  /** Whether the member knows the network; otherwise it is not asked. */
  covers(mode: Mode, network: NetworkId): boolean;
}
