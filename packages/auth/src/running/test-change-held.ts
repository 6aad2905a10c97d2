import type { Infrastructure } from '@svc/core'
import { type Auth, authOf } from '../auth.ts'
import { runningOn } from './running-capabilities.ts'

/** Puts something else in the place of what a server and its capabilities stand on. */
export function changeService(server: Infrastructure, changes: Partial<Auth>) {
  const auth = authOf(server)
  const held = runningOn(auth.db).flatMap((each) => [each.held, ...each.atOperation.values()])
  for (const each of [auth, ...held]) Object.assign(each, changes)
}
