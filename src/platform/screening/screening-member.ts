import type { Mode } from '../../kernel/event';
import type { Screening } from '../../kernel/ports/screening';
import type { NetworkId } from '../../kernel/tokens';

/** One of those that a panel asks. */
export interface ScreeningMember extends Screening {
  /** Named in verdicts and errors. */
  readonly name: string;
  /** Whether it has any say on a network; where it has none it is not asked. */
  covers(mode: Mode, network: NetworkId): boolean;
}
