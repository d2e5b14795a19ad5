import type { AccessReader } from '../kernel/access-reader';
import type { ScreenedTransfer, Screening, ScreeningVerdict } from '../kernel/ports/screening';
import { SCREENING_ASKED } from '../modules/controls/screening-settings.read-model';
import { DEFAULT_SCREENING_TIMEOUT_MS } from '../modules/controls/screening-timeout';

/** The screening by what administrators have set, as of each screening. */
export class ControlledScreening implements Screening {
  constructor(
    private readonly screening: Screening,
    private readonly access: Pick<AccessReader, 'read'>,
  ) {}

  /** Throws the refusals of the screening. */
  async screen(transfer: ScreenedTransfer): Promise<ScreeningVerdict> {
    const [settings] = await this.access.read([SCREENING_ASKED]);
    return this.screening.screen(transfer, settings?.body.timeout_ms ?? DEFAULT_SCREENING_TIMEOUT_MS);
  }
}
