/** Webhook endpoints and their deliveries. */
export const WEBHOOK_REMEDIES = {
  invalid_webhook_url:
    'Give a public https address at a port of WEBHOOK_PORTS, without user:password@. A local receiver of test mode needs its subnet in WEBHOOK_ALLOWED_SUBNETS.',
  insecure_webhook_url: 'Put a certificate on the receiver and give its https address.',
  no_signing_secret: 'Roll the secret of the endpoint and deploy the new one.',
  invalid_signing_secret: 'Copy the whole secret, from whsec_ to its end.',
  invalid_attempt: 'Name an attempt from 1 to 8.',
  attempt_exhausted: 'Fetch the event with GET /v1/webhook_events/:id and handle it as if it had been delivered.',
  egress_resolver_required: 'An operator configures a resolver; deliveries wait until then.',
} as const;
