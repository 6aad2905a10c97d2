import { ValidationError } from '@svc/core/client'
import type { ConsolePartProps } from '@svc/web/console/next'
import { redirect } from 'next/navigation.js'
import { serverConsoleApi } from '../server-console-api.ts'
import { listAddress, readListQuery, searchInput } from './list-query.ts'
import { ListView } from './list-view.tsx'

/** Finds organizations by a part of their name or slug, or by a member. */
export async function ListPage({ path, searchParams }: Omit<ConsolePartProps, 'rest'>) {
  const query = readListQuery(await searchParams)
  const input = searchInput(query)
  const page =
    input === null
      ? { items: [] }
      : await search(input, () => listAddress(path, { ...query, after: '' }))
  return (
    <ListView
      organizations={page.items}
      next={page.next}
      {...{ query, path }}
      renderedAt={Date.now()}
    />
  )
}

async function search(input: NonNullable<ReturnType<typeof searchInput>>, first: () => string) {
  try {
    return await serverConsoleApi().searchOrganizations.call({ query: input })
  } catch (error) {
    // Another order has written this place, or a person.
    if (error instanceof ValidationError && 'after' in input) redirect(first())
    throw error
  }
}
