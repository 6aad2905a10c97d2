import { defineEvent, t } from '@svc/core'

/** @internal What a role grants has changed, or its name: those who hold it are not known to whoever emits this. */
export const roleGrantsChangedEvent = defineEvent(
  'auth.role.grants.changed',
  t.Object({ role: t.String() }),
)
