import { readFileSync } from 'node:fs';

const SPECTRAL_SEVERITIES = ['error', 'warn', 'info', 'hint'];

// Reads OpenAPI documents as JSON, and writes what a linter finds in each of them under its recommended rules. A
// process of its own, because the first linter is an ECMAScript module. Each is loaded only where it is asked.
const LINTERS = {
  redocly: async () => {
    const { createConfig, lintFromString } = await import('@redocly/openapi-core');
    const config = await createConfig({ extends: ['recommended'] });
    return async document => {
      const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
      return problems.map(({ severity, ruleId: rule, message, location: [place] }) => {
        return { severity, rule, message, place: place?.pointer };
      });
    };
  },
  spectral: async () => {
    const { default: spectralCore } = await import('@stoplight/spectral-core');
    const { default: spectralRulesets } = await import('@stoplight/spectral-rulesets');
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: [[spectralRulesets.oas, 'recommended']] });
    return async document =>
      (await spectral.run(document)).map(({ severity, code: rule, message, path }) => {
        return { severity: SPECTRAL_SEVERITIES[severity], rule, message, place: path.join('/') };
      });
  },
};

const lint = await LINTERS[process.argv[2]]();
const results = [];
for (const document of JSON.parse(readFileSync(0, 'utf8'))) results.push(await lint(document));
process.stdout.write(JSON.stringify(results));
