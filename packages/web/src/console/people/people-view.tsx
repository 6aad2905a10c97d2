'use client'

import type { UserItem } from '@svc/auth'
import {
  AccountPage,
  RelativeTime,
  Select,
  TextLink,
  useNow,
  useSay,
} from '../../account-pages/account-pages.ts'
import { CursorPager } from '../cursor-pager.tsx'
import { RoleName } from '../role-name.tsx'
import { SearchField, SearchForm, SearchRow } from '../search-form.tsx'
import { fieldWords, statusWords, userName } from '../user-words.ts'
import {
  hasFurtherFilters,
  type PeopleQuery,
  peopleAddress,
  searchFields,
  userStatuses,
} from './people-query.ts'

interface Props {
  users: UserItem[]
  next: string | undefined
  query: PeopleQuery
  path: string
  renderedAt: number
}

/** Users, as a search has found them. The search is in the address, and works without scripts. */
export function PeopleView({ users, next, query, path, renderedAt }: Props) {
  const say = useSay()
  const now = useNow(renderedAt)
  return (
    <AccountPage
      title={say('People')}
      about={say('Find a user by the beginning of an address, a name or a number.')}
    >
      <Search query={query} path={path} />
      {users.length === 0 ? (
        <p className="svc-note svc-above-5">
          {query.text
            ? say(
                'No user begins like that. Give less of the beginning, or search in another field.',
              )
            : say('There are no users here.')}
        </p>
      ) : (
        <ul aria-label={say('Users')} className="svc-sheet svc-above-5">
          {users.map((user) => (
            <UserRow key={user.userId} {...{ user, now, path }} />
          ))}
        </ul>
      )}
      <CursorPager
        first={query.after ? peopleAddress(path, { ...query, after: '' }) : null}
        next={next ? peopleAddress(path, { ...query, after: next }) : null}
      />
    </AccountPage>
  )
}

function Search({ query, path }: Pick<Props, 'query' | 'path'>) {
  const say = useSay()
  return (
    <SearchForm
      path={path}
      hasMore={hasFurtherFilters(query)}
      more={
        <>
          <Select label={say('Search in')} name="field" defaultValue={query.field}>
            {searchFields.map((field) => (
              <option key={field} value={field}>
                {say(fieldWords[field])}
              </option>
            ))}
          </Select>
          <SearchRow>
            <SearchField label={say('Role')} name="role" defaultValue={query.role} />
            <Select label={say('Status')} name="status" defaultValue={query.status ?? ''}>
              <option value="">{say('All')}</option>
              {userStatuses.map((status) => (
                <option key={status} value={status}>
                  {say(statusWords[status])}
                </option>
              ))}
            </Select>
          </SearchRow>
        </>
      }
    >
      <SearchField label={say('Begins with')} name="text" type="search" defaultValue={query.text} />
    </SearchForm>
  )
}

function UserRow({ user, now, path }: { user: UserItem; now: number; path: string }) {
  const say = useSay()
  const { userId, role, roleNames, status, hasSecondFactor, lastLoginAt, createdAt } = user
  return (
    <li className="svc-listed">
      <h2 className="svc-entry-title svc-entry-title-close">
        <TextLink isAlone href={`${path}/${userId}`}>
          <bdi>{userName(user)}</bdi>
        </TextLink>
        {user.displayName && <bdi className="svc-small">{user.displayName}</bdi>}
        {status !== 'active' && (
          <span className="svc-badge svc-badge-tiny">{say(statusWords[status])}</span>
        )}
        {hasSecondFactor && (
          <span className="svc-badge svc-badge-tiny">{say('Two-step sign-in')}</span>
        )}
      </h2>
      <p className="svc-note svc-above-half">
        {lastLoginAt
          ? say.nodes('{role} · last sign-in {since}', {
              role: <RoleName name={role} displayName={roleNames[0]} />,
              since: <RelativeTime at={lastLoginAt} now={now} />,
            })
          : say.nodes('{role} · created {since}, has never signed in', {
              role: <RoleName name={role} displayName={roleNames[0]} />,
              since: <RelativeTime at={createdAt} now={now} />,
            })}
      </p>
    </li>
  )
}
