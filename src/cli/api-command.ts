import { Option, type Command } from 'commander';
import { isLoopback } from '../platform/outbound/loopback';
import { tell, type Answer, type Session } from './cli-command';
import { ServiceApi } from './service-api';
import type { Terminal } from './terminal';

const KEY_VARIABLE = 'QUITTANCE_API_KEY';
const URL_VARIABLE = 'QUITTANCE_URL';
const DEFAULT_URL = 'http://127.0.0.1:8080';
const TEST_KEY = /^[sr]k_test_\w+$/;

export type ApiOptions = { readonly apiKey?: string; readonly url?: string };

/** The options of a command that works as an integrator's program does: by the API, and on no data. */
export function withApiOptions(command: Command): Command {
  return command
    .addOption(new Option('--api-key <key>', `a test key; by default the one in ${KEY_VARIABLE}`))
    .addOption(new Option('--url <url>', `the service; by default the one in ${URL_VARIABLE}, or ${DEFAULT_URL}`));
}

/** The key's text is in no message. Ends as misused without a key of test mode, or with another address. */
export function apiOf({ env }: Terminal, command: Command, options: ApiOptions): { api: ServiceApi; key: string } {
  const [key, keySource] = given(options.apiKey, '--api-key', env[KEY_VARIABLE], KEY_VARIABLE);
  if (!key) return command.error(`error: a test key is missing: set ${KEY_VARIABLE}, or give --api-key`);
  if (!TEST_KEY.test(key)) return command.error(`error: ${keySource} must hold a key of test mode, such as sk_test_…`);
  const [text = DEFAULT_URL, urlSource] = given(options.url, '--url', env[URL_VARIABLE], URL_VARIABLE);
  const url = serviceUrl(text);
  if (url === null) return command.error(`error: ${urlSource} must hold an https URL, or an http URL on this machine`);
  return { api: new ServiceApi(url, key), key };
}

/** Runs `work` on the API and prints its answer. */
export async function performOnApi(
  session: Session,
  command: Command,
  options: ApiOptions,
  work: (api: ServiceApi, terminal: Terminal) => Promise<Answer>,
): Promise<void> {
  const { terminal } = session;
  tell(session, command, await work(apiOf(terminal, command, options).api, terminal));
}

/** The option comes before the variable. */
function given(option: string | undefined, name: string, value: string | undefined, variable: string) {
  return option === undefined ? ([value, variable] as const) : ([option, name] as const);
}

/** Without a slash at its end; null where the key would travel in clear text. */
function serviceUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  return url && isSafe ? `${url.origin}${url.pathname}`.replace(/\/$/, '') : null;
}
