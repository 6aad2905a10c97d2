import { type OutputOf, t } from '@svc/core/contract'

/** What a code is for. Operations of another purpose refuse it. */
export const Purpose = t.Union([
  t.Literal('registration'),
  t.Literal('login'),
  t.Literal('password_reset'),
  t.Literal('email_change'),
  t.Literal('phone_change'),
  t.Literal('account_deletion'),
])
export type Purpose = OutputOf<typeof Purpose>
