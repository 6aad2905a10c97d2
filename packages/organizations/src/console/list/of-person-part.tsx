import type { ConsolePersonProps } from '@svc/web/console/next'
import { serverConsoleApi } from '../server-console-api.ts'
import { OfPersonView } from './of-person.tsx'

/** The first organizations of a user. */
export async function OfPerson({ userId, path }: ConsolePersonProps) {
  const query = { userId, limit: 10 }
  const { items, next } = await serverConsoleApi().searchOrganizations.call({ query })
  return (
    <OfPersonView
      organizations={items}
      hasMore={next !== undefined}
      {...{ userId, path }}
      renderedAt={Date.now()}
    />
  )
}
