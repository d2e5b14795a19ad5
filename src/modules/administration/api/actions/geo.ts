import { TextList } from '../../../../platform/http/fields/part-fields';
import { COUNTRIES } from '../../../../vocabulary/countries';
import { BlockCountries } from '../../../controls/commands/block-countries.command';
import { GEO_BLOCK_ASKED, geoBlocksReadModel } from '../../../controls/geo-blocks.read-model';
import { row, settingAction } from '../admin-action';

/** All countries of ISO 3166-1, and some more. */
const MAX_COUNTRIES = 300;

class BlockCountriesDto {
  @TextList({
    values: COUNTRIES,
    max: MAX_COUNTRIES,
    judgedLater: true,
    code: 'invalid_geo_config',
    description: 'Codes of ISO 3166-1 alpha-2, in capital letters; none to block nothing',
    example: ['KP'],
  })
  blocked_countries!: string[];
}

export const blockCountries = settingAction({
  permission: 'controls.edit',
  path: 'geo',
  summary: 'Block the checkout in countries',
  body: BlockCountriesDto,
  refuses: ['invalid_geo_config'],
  targetOf: () => GEO_BLOCK_ASKED.id,
  look: async ({ find }) => {
    const found = await find(geoBlocksReadModel, ['platform'], GEO_BLOCK_ASKED.id);
    return { blocked: found?.body.blocked_countries ?? [] };
  },
  difference: ({ blocked }, { blocked_countries: countries }) => [
    row('blocked_countries', blocked.join(', '), [...countries].sort().join(', ')),
  ],
  words: () => ({
    does: 'Lets customers in these countries begin no payment from the next request on. All other countries are free.',
    to: 'The customers of every merchant, in either mode.',
    cannotUndo: 'Payments that are refused meanwhile are lost to their merchants. The list can be changed.',
  }),
  command: ({ body, execution }) => new BlockCountries(body.blocked_countries, execution.context),
});
