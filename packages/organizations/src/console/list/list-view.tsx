'use client'

import { AccountPage, Select, useNow } from '@svc/web/account'
import { CursorPager, SearchField, SearchForm, SearchRow } from '@svc/web/console'
import type { Listed } from '../console-api.ts'
import { useConsoleSay } from '../words/use-console-say.ts'
import { type ListQuery, listAddress, searchFields, states } from './list-query.ts'
import { OrganizationRow } from './organization-row.tsx'

interface Props {
  organizations: readonly Listed[]
  next: string | undefined
  query: ListQuery
  path: string
  renderedAt: number
}

/** Organizations, as a search has found them. The search is in the address, and works without scripts. */
export function ListView({ organizations, next, query, path, renderedAt }: Props) {
  const say = useConsoleSay()
  const now = useNow(renderedAt)
  return (
    <AccountPage
      title={say('Organizations')}
      about={say(
        'Find an organization by the beginning of its name or its address, or by one of its members.',
      )}
    >
      <Search key={listAddress(path, query)} query={query} path={path} />
      {organizations.length === 0 ? (
        <p className="svc-note svc-above-5">{say(noneWords(query))}</p>
      ) : (
        <ul aria-label={say('Organizations')} className="svc-sheet svc-above-5">
          {organizations.map((organization) => (
            <OrganizationRow key={organization.organizationId} {...{ organization, now, path }} />
          ))}
        </ul>
      )}
      <CursorPager
        first={query.after ? listAddress(path, { ...query, after: '' }) : null}
        next={next ? listAddress(path, { ...query, after: next }) : null}
      />
    </AccountPage>
  )
}

function noneWords({ field, text }: ListQuery) {
  if (!text) return 'There are no organizations here.'
  return field === 'user'
    ? 'This user is in no organization.'
    : 'No organization begins like that. Give less of the beginning, or search in another field.'
}

const fieldWords = { name: 'Name', slug: 'Address', user: 'User id of a member' } as const
const stateWords = { open: 'Open', closed: 'Closed' } as const

function Search({ query, path }: Pick<Props, 'query' | 'path'>) {
  const say = useConsoleSay()
  return (
    <SearchForm
      path={path}
      hasMore={query.field !== 'name' || query.state !== undefined}
      more={
        <SearchRow>
          <Select label={say('Search in')} name="field" defaultValue={query.field}>
            {searchFields.map((field) => (
              <option key={field} value={field}>
                {say(fieldWords[field])}
              </option>
            ))}
          </Select>
          <Select label={say('State')} name="state" defaultValue={query.state ?? ''}>
            <option value="">{say('All')}</option>
            {states.map((state) => (
              <option key={state} value={state}>
                {say(stateWords[state])}
              </option>
            ))}
          </Select>
        </SearchRow>
      }
    >
      <SearchField label={say('Begins with')} name="text" type="search" defaultValue={query.text} />
    </SearchForm>
  )
}
