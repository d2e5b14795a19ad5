import type { AccessReader } from '../kernel/access-reader';
import type { ReadModels } from '../kernel/ports/read-models';
import type { ScreenedTransfer, Screening, ScreeningVerdict } from '../kernel/ports/screening';
import { sanctionedAddressesReadModel } from '../modules/controls/sanctioned-addresses.read-model';
import { SCREENING_ASKED } from '../modules/controls/screening-settings.read-model';
import { DEFAULT_SCREENING_TIMEOUT_MS } from '../modules/controls/screening-timeout';
import { addressHex } from '../modules/wallets/address';

/** The screening by what administrators have set, as of each screening. */
export class ControlledScreening implements Screening {
  constructor(
    private readonly screening: Screening,
    private readonly access: Pick<AccessReader, 'read'>,
    private readonly readModels: Pick<ReadModels, 'get'>,
  ) {}

  /** An address that an administrator has listed needs no other source. Throws the refusals of the screening. */
  async screen(transfer: ScreenedTransfer): Promise<ScreeningVerdict> {
    const { network, payer } = transfer;
    const id = addressHex(network, payer);
    const listed = await this.readModels.get(sanctionedAddressesReadModel, 'platform', id);
    const [entry] = listed?.body.entries ?? [];
    if (entry) return { verdict: 'high_risk', source: entry.list_source, reference: entry.reference };
    const [settings] = await this.access.read([SCREENING_ASKED]);
    return this.screening.screen(transfer, settings?.body.timeout_ms ?? DEFAULT_SCREENING_TIMEOUT_MS);
  }
}
