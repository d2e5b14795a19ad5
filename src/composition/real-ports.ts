import { ALL_PROJECTIONS } from '../../projections/all';
import { refuseForeignDocuments } from '../../projections/runner/checkpoint-proof';
import { SystemClock } from '../platform/clock/system-clock';
import { SystemEntropy } from '../platform/clock/system-entropy';
import type { MailSender } from '../kernel/ports/mail';
import type { Config } from '../platform/config/config';
import type { Logger } from '../platform/logging/logger';
import { CountryDatabase } from '../platform/country-database';
import { ClosedSecretBox } from '../platform/secrets/closed-secret-box';
import { HttpImageSource } from '../platform/webhooks/http-image-source';
import { HttpWebhookSender } from '../platform/webhooks/http-webhook-sender';
import { openEngines, type EngineOpening } from './engines';
import { openNetworks } from './networks';
import type { CorePorts, Networks, Ports } from './ports';
import { rateSources } from './rates';
import { openScreening } from './screening';
import { openSecretBox } from './secrets';

/** The connections to engines, and the callback that is told of them. */
type Reaching = Pick<EngineOpening, 'connectors' | 'onOpen'>;

/** Throws as openEngines and openSecretBox do; no engine is left open then. `keyless`: no secret can be opened. */
export async function openCorePorts(
  config: Config,
  log: Logger,
  role: EngineOpening['role'],
  { keyless = false, ...reaching }: Reaching & { readonly keyless?: boolean } = {},
): Promise<CorePorts> {
  const [clock, entropy] = [new SystemClock(), new SystemEntropy()];
  const engines = await openEngines({ config, log, clock, entropy, role, ...reaching });
  try {
    const means = { store: engines.store, clock, entropy, log };
    const secretBox = keyless ? new ClosedSecretBox() : await openSecretBox(config, role, means);
    return { clock, entropy, secretBox, log, engines };
  } catch (error) {
    await engines.close();
    throw error;
  }
}

/**
 * The ports of the running service. Throws as openCorePorts does, and Refusal invalid_config or invalid_token_config.
 * Only local chains are left open then.
 */
export async function openPorts(config: Config, log: Logger, reaching: Reaching = {}): Promise<Ports> {
  const core = await openCorePorts(config, log, 'service', reaching);
  const { engines, ...means } = core;
  let networks: Networks | null = null;
  try {
    await refuseForeignDocuments({ ...engines, clock: core.clock }, ALL_PROJECTIONS);
    const rates = await rateSources({ config, ...means });
    networks = await openNetworks({ config, ...means });
    const screening = await openScreening({ config, ...means }, networks.watched);
    const countries = config.geoDatabase === null ? null : await CountryDatabase.open(config.geoDatabase);
    const mail = config.smtp && (await mailSender(config.smtp));
    const { webhookAllowedSubnets: allowedSubnets, webhookPorts } = config;
    const webhooks = new HttpWebhookSender({ allowedSubnets, ports: webhookPorts });
    const images = new HttpImageSource({ allowedSubnets, ports: webhookPorts });
    return { ...core, networks, rates, screening, countries, mail, webhooks, images };
  } catch (error) {
    await networks?.close();
    await engines.close();
    throw error;
  }
}

/** Its library is loaded by need alone. */
async function mailSender(smtp: NonNullable<Config['smtp']>): Promise<MailSender> {
  const { SmtpMailSender } = await import('../platform/outbound/smtp-mail-sender.js');
  return new SmtpMailSender(smtp);
}
