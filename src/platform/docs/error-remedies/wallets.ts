/** Wallets, routes, tokens and the networks behind them. */
export const WALLET_REMEDIES = {
  wallet_not_owned: 'Use a wallet of your own account.',
  asset_token_mismatch: 'Send usdt-tron, usdt-bnb or usdc-base, and no asset symbol: USDT is a token of two networks.',
  token_not_enabled: 'Enable the token in your settings or choose one that is.',
  invalid_token_contract: 'Leave the contract to the service; bridged and look-alike tokens are not taken.',
  missing_chain_id: 'Report the request id: a pay URI on bnb or base was made without its chain.',
  invalid_address:
    'Copy the address again with its capitals. tron: 34 characters from T; bnb and base: 0x and 40 hex characters.',
  wallet_exchange_hosted:
    'Register the address of a wallet that you hold the key of, not the deposit address of an exchange.',
  exchange_hosted_wallet: 'Declare controls_private_key only for a wallet of your own, and register such a one.',
  wallet_merchant_mismatch: 'Put a wallet of your own account into the route.',
  duplicate_wallet: 'List your wallets and go on with the one that has this address.',
  invalid_challenge_field:
    'Ask for a new challenge, sign its exact text with the key of the address, and return both unchanged within 30 minutes.',
  route_conflict: 'Name each pair of asset and network once.',
  route_cooling_down:
    'Wait until cooling_down_until. If the change was not yours, revoke your keys and write to support at once.',
  route_wallet_missing: 'Register and verify the wallet first, then set the route.',
  unsupported_network: 'Offer tron, bnb or base, as far as this deployment watches them in your mode.',
  network_mismatch: 'Choose a wallet on the network of the token.',
  invalid_wallet_address: 'Register the address anew, verify it and set the route to it.',
  wallet_not_verified: 'Ask for a challenge and answer it with POST /v1/wallets/:id/verify.',
  no_route_configured:
    'Name the wallet of the route, which the message tells, or set a route for the pair to this wallet with PUT /v1/routes.',
  invalid_token_config:
    'An operator compares the token with its contract; the service refuses to start until they agree.',
  provider_response_invalid: 'Try again shortly: other providers are asked, and no transfer is lost meanwhile.',
  provider_unavailable: 'Try again with the same Idempotency-Key and growing pauses.',
  provider_network_mismatch: 'An operator corrects the URL of the provider; what it answered was thrown away.',
  verification_invariant: 'Quote the request id to support; use another wallet until support has answered.',
} as const;
