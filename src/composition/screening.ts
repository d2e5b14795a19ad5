import type { Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import type { ContractReader } from '../kernel/ports/contract-reader';
import type { Log } from '../kernel/ports/log';
import type { ScreenedTransfer, Screening, ScreeningVerdict } from '../kernel/ports/screening';
import type { NetworkId } from '../vocabulary/networks';
import type { WatchedNetwork } from './ports';
import type { Config, ScreeningName } from '../platform/config/config';
import { ChainalysisApi } from '../platform/screening/chainalysis-api';
import { IssuerFreeze } from '../platform/screening/issuer-freeze';
import { LOCAL_LIST_NAME, LocalSanctionsList } from '../platform/screening/local-sanctions-list';
import { RecentlyCleared } from '../platform/screening/recently-cleared';
import { SanctionsListFile } from '../platform/screening/sanctions-list-file';
import { SanctionsOracle } from '../platform/screening/sanctions-oracle';
import type { ScreeningMember } from '../platform/screening/screening-member';
import { ScreeningPanel } from '../platform/screening/screening-panel';

/** The names of those who screen a payer, by mode. */
export function screeningSources({ screening }: Pick<Config, 'screening'>): Readonly<Record<Mode, readonly string[]>> {
  return { test: [LOCAL_LIST_NAME, ...screening.test], live: [LOCAL_LIST_NAME, ...screening.live] };
}

/** The list that is kept here, and beside it the members that each mode's configuration names. */
export async function openScreening(
  { config, clock, log }: { readonly config: Config; readonly clock: Clock; readonly log: Log },
  networks: readonly WatchedNetwork[],
): Promise<Screening> {
  const file = config.sanctionsListFile;
  const list = file === null ? LocalSanctionsList.builtIn() : await SanctionsListFile.open(file, clock, log);
  const panelOf = (mode: Mode): Screening => {
    const asked = config.screening[mode].map(name => memberOf(name, config, contractsIn(networks)));
    // An answer of the list is as fast as a remembered one, and knows of a change at once.
    return new ScreeningPanel([list, ...asked.map(member => new RecentlyCleared(member, clock))], clock);
  };
  const panels: Readonly<Record<Mode, Screening>> = { test: panelOf('test'), live: panelOf('live') };
  const screen = (transfer: ScreenedTransfer, timeoutMs?: number): Promise<ScreeningVerdict> =>
    panels[transfer.mode].screen(transfer, timeoutMs);
  return { screen };
}

function memberOf(
  name: ScreeningName,
  config: Config,
  contractsOf: (mode: Mode, network: NetworkId) => ContractReader | null,
): ScreeningMember {
  switch (name) {
    case 'chainalysis':
      return new ChainalysisApi({ baseUrl: config.chainalysisUrl, apiKey: config.chainalysisApiKey ?? '' });
    case 'oracle':
      return new SanctionsOracle(contractsOf);
    case 'issuer':
      return new IssuerFreeze(contractsOf);
  }
}

function contractsIn(networks: readonly WatchedNetwork[]) {
  return (mode: Mode, network: NetworkId): ContractReader | null => {
    const watched = networks.find(each => each.mode === mode && each.network === network);
    return watched?.contracts ?? null;
  };
}
