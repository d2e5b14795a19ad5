import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { readFileSync } from 'node:fs';

const SPECTRAL_SEVERITIES = ['error', 'warn', 'info', 'hint'];

// Reads OpenAPI documents as JSON, and writes what two linters find in each of them under their recommended rules. A
// process of its own, because the first linter is an ECMAScript module.
const config = await createConfig({ extends: ['recommended'] });
const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [[spectralRulesets.oas, 'recommended']] });

const results = [];
for (const document of JSON.parse(readFileSync(0, 'utf8'))) {
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  results.push({
    redocly: problems.map(({ severity, ruleId: rule, message, location: [place] }) => {
      return { severity, rule, message, place: place?.pointer };
    }),
    spectral: (await spectral.run(document)).map(({ severity, code: rule, message, path }) => {
      return { severity: SPECTRAL_SEVERITIES[severity], rule, message, place: path.join('/') };
    }),
  });
}
process.stdout.write(JSON.stringify(results));
