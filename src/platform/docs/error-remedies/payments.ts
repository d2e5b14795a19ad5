/** Payments, their transfers, holds and reviews. */
export const PAYMENT_REMEDIES = {
  payments_paused:
    'Tell your customers to come back later and ask support for how long. Payments under way are carried to their end.',
  merchant_closed: 'Read what you need. A closed account stays closed: open another one to take payments again.',
  invalid_state_transition:
    'Retrieve the object, look at its status and decide from there. A payment can be canceled only until a transfer is seen.',
  payment_not_quoted: 'Call select_method first, then try this again.',
  payment_not_underpaid: 'Retrieve the payment: it has moved on, or never came short.',
  payment_not_resolvable:
    'Retrieve the payment. Only underpaid and paid_late wait for a decision, once; a rejected payment takes nothing more.',
  payment_already_paid: 'Deliver, if you have not: confirmed and overpaid both mean paid.',
  hold_already_resolved: 'Reload the hold and act on its outcome.',
  invalid_hold_reason: 'Write down the reason and send it along.',
  unmatched_transfer_already_resolved:
    'Reload the queue; somebody was faster. Support can open a transfer again that was set aside.',
  invalid_resolution:
    'Send accepted or rejected for a review, returned or kept for an unmatched transfer, and a note for whoever reads this later.',
  unmatched_transfer_not_resolved: 'Leave it: a transfer that was credited stays credited.',
  invalid_reason: 'Write down the reason and send it along.',
  attribution_already_exists: 'Look up which payment the transfer is counted for.',
  duplicate_transaction:
    'Nothing where the payment has the transfer: it counts once, and it does. Where the transaction was named too often, wait: each filed naming gets its answer.',
  invalid_tx_hash:
    'Copy the hash from a block explorer: 0x and 64 hex characters, on tron without the 0x. The number of an exchange is taken in the same field: send it alone.',
  invalid_log_index: 'Give the position of the transfer among the logs of its transaction; a block explorer shows it.',
  token_disabled: 'Offer another token or network until this one is back.',
  payment_underpaid:
    'Show the customer `remaining`, or accept the payment as it is. While `remaining` is null, retrieve the payment again.',
  payment_overpaid: 'Deliver. The surplus is in your wallet and noted on the payment.',
  payment_expired:
    'Send the money back to the payer, and take its transfer out of the queue by POST /v1/unmatched_transfers/:id/set_aside. To be paid after all, open a new payment.',
  payment_canceled: 'Open a new payment.',
  payment_failed:
    'Look at failure_reason. After compliance_rejected the funds are in your wallet; otherwise nothing has reached it, and the customer can pay a new payment.',
  compliance_hold:
    'Do not deliver. While the hold is open, wait for its decision, of which a webhook tells. After a rejection the payment stays unpaid for good.',
  reservation_capacity_exhausted:
    'Try again shortly, or route the token to a second verified wallet, which has amounts of its own.',
  screening_timeout: 'Wait or try again. A payer that could not be screened is never taken for a clear one.',
  attribution_failed: 'Mend what the log names, open the row again and resolve it once more.',
} as const;
