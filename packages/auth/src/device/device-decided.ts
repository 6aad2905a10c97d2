import { defineEvent, t } from '@svc/core'

/** Wakes the polls that wait for a decision, on every instance. It names hashes: nobody collects anything with them. */
export const deviceDecidedEvent = defineEvent(
  'auth.device.decided',
  t.Object({ codeHashes: t.Array(t.String()) }),
)
