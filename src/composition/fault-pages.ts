import { PageFaults } from '../../web/faults/page-faults';
import { sendAsset } from '../../web/http/assets.controller';
import { BuiltPages } from '../../web/http/built-pages';
import type { Config } from '../platform/config/config';
import type { PageParts } from '../platform/http/starting-pages';
import { checkoutRootOf, consoleRootOf, dashboardRootOf } from '../platform/http/page-roots';

export function faultPagesOf(built: BuiltPages, config: Config): PageFaults {
  return new PageFaults(built, config, {
    checkout: checkoutRootOf(config),
    dashboard: dashboardRootOf(config),
    console: consoleRootOf(config),
  });
}

/** The same pages, for the time before the service itself can answer. */
export function startingPages(config: Config): PageParts {
  const built = BuiltPages.read();
  const faults = faultPagesOf(built, config);
  return {
    sendFault: (code, request, reply) => faults.sendFault(code, request, reply),
    sendAsset: (name, request, reply) => sendAsset(built, name, request, reply),
  };
}
