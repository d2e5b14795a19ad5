import { refuse } from '../../../kernel/errors';
import { grants } from '../../../kernel/scopes';
import type { BodyCheck } from '../../../platform/http/caller';
import { checkedDescription, checkedTypes } from '../webhook-endpoint.decider';
import { ADDRESS_RULES, webhookUrl, type AddressRules } from '../webhook-url';
import type { ChangeWebhookEndpointDto, CreateWebhookEndpointDto } from './webhook-endpoint.dto';

export const checkEndpoint: BodyCheck<CreateWebhookEndpointDto | ChangeWebhookEndpointDto> = (body, context) => {
  const { url, enabled_events: enabledEvents, description = null } = body;
  if (url !== undefined) webhookUrl(url, context.caller.mode, context.provided<AddressRules>(ADDRESS_RULES));
  if (enabledEvents !== undefined) checkedTypes(enabledEvents);
  checkedDescription(description);
};

/** To say where events go takes a scope of its own, which like any other is asked for before a code is. */
export const checkEndpointChange: BodyCheck<ChangeWebhookEndpointDto> = (body, context) => {
  if (body.url !== undefined && !grants(context.caller.scopes, 'webhook_url:manage')) {
    throw refuse('insufficient_scope', { message: 'To change the url the key needs webhook_url:manage.' });
  }
  checkEndpoint(body, context);
};
