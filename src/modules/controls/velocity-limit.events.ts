export const VELOCITY_SUBJECTS = ['merchant', 'wallet', 'payer_address'] as const;
/** The kind of subject that a limit holds for: each merchant, each wallet, or each address of a payer. */
export type VelocitySubject = (typeof VELOCITY_SUBJECTS)[number];

/** From now on the limit holds for each subject of the kind. A further limit takes the place of the former one. */
type VelocityLimitSet = {
  readonly type: 'VelocityLimitSet';
  readonly data: {
    readonly subject: VelocitySubject;
    readonly window_ms: number;
    readonly max_count: number;
    readonly max_amount_usd_minor_units: string;
  };
};

type VelocityLimitLifted = {
  readonly type: 'VelocityLimitLifted';
  readonly data: { readonly subject: VelocitySubject; readonly reason: string };
};

export type VelocityLimitEvent = VelocityLimitSet | VelocityLimitLifted;
