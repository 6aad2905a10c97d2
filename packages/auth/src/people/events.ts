import { defineEvent, t } from '@svc/core/contract'

/** The owner of an account keeps a factor that an operator was going to remove. */
export const factorKeptEvent = defineEvent('auth.factor.kept', t.Object({ userId: t.String() }), {
  description: 'The owner of an account keeps a factor that an operator wanted to remove.',
})
