'use client'

import type { AuditItem } from '@svc/auth'
import {
  AccountPage,
  ButtonLink,
  ExactTime,
  RelativeTime,
  useNow,
  useSay,
} from '../../account-pages/account-pages.ts'
import { Fact } from '../fact.tsx'
import { PersonLabel } from '../person-label.tsx'
import { SearchField, SearchForm, SearchRow } from '../search-form.tsx'
import { actWords, wordsOfAct } from './act-words.ts'
import { type AuditQuery, auditAddress, auditFaults } from './audit-query.ts'

interface Props {
  rows: AuditItem[]
  query: AuditQuery
  path: string
  totalPages: number
  mayReadUsers: boolean
  renderedAt: number
}

/** The audit trail. Its filters are in the address, and work without scripts. */
export function AuditView({ rows, query, path, totalPages, mayReadUsers, renderedAt }: Props) {
  const say = useSay()
  const now = useNow(renderedAt)
  return (
    <AccountPage
      title={say('Audit')}
      about={say('What was done, by whom and to whom, the newest first.')}
    >
      <Filters {...{ query, path, mayReadUsers }} />
      {!auditFaults(query, mayReadUsers).any && <Acts {...{ rows, now }} />}
      <Pager {...{ query, path, totalPages }} />
    </AccountPage>
  )
}

function Acts({ rows, now }: { rows: AuditItem[]; now: number }) {
  const say = useSay()
  if (rows.length === 0) {
    return (
      <p className="svc-note svc-above-5">
        {say('The trail has nothing like that. Leave a field empty.')}
      </p>
    )
  }
  return (
    <ul aria-label={say('Acts')} className="svc-sheet svc-above-5">
      {rows.map((row) => (
        <AuditRow key={row.auditId} {...{ row, now }} />
      ))}
    </ul>
  )
}

function Filters({ query, path, mayReadUsers }: Pick<Props, 'query' | 'path' | 'mayReadUsers'>) {
  const say = useSay()
  const isWrong = auditFaults(query, mayReadUsers)
  const notDay = say('Write a day like 2030-01-31.')
  const { act, page: _, ...further } = query
  return (
    <SearchForm
      path={path}
      hasMore={Object.values(further).some((each) => each !== '')}
      more={
        <>
          <SearchRow>
            <SearchField
              label={say(mayReadUsers ? 'By (address or user id)' : 'By (user id)')}
              name="actor"
              defaultValue={query.actor}
              problem={
                isWrong.actor
                  ? say('Enter the id of a user. It is on their page under People.')
                  : undefined
              }
            />
            <SearchField label={say('To whom or what')} name="target" defaultValue={query.target} />
          </SearchRow>
          <SearchRow>
            <SearchField
              label={say('From day')}
              name="from"
              placeholder="2030-01-31"
              defaultValue={query.from}
              problem={isWrong.from ? notDay : undefined}
            />
            <SearchField
              label={say('To day')}
              name="to"
              placeholder="2030-01-31"
              defaultValue={query.to}
              problem={isWrong.to ? notDay : undefined}
            />
          </SearchRow>
        </>
      }
    >
      <SearchField
        label={say('Act')}
        name="act"
        list="svc-acts"
        defaultValue={act}
        placeholder="account.suspended"
      />
      <datalist id="svc-acts">
        {Object.entries(actWords).map(([code, words]) => (
          <option key={code} value={code}>
            {say(words)}
          </option>
        ))}
      </datalist>
    </SearchForm>
  )
}

function AuditRow({ row, now }: { row: AuditItem; now: number }) {
  const say = useSay()
  const { act, outcome, at, times } = row
  const words = wordsOfAct(act)
  return (
    <li className="svc-listed">
      <h2 className="svc-entry-title svc-entry-title-close">
        {words && <span>{say(words)}</span>}
        <code className={words ? 'svc-tiny' : ''}>{act}</code>
        {outcome === 'refused' && (
          <span className="svc-badge svc-badge-tiny">{say('Refused')}</span>
        )}
        {times > 1 && (
          <span className="svc-badge svc-badge-tiny">{say('{count} times', { count: times })}</span>
        )}
      </h2>
      <p className="svc-note svc-row svc-above-half">
        <RelativeTime at={at} now={now} />
        <Parties row={row} />
      </p>
      <RowDetails row={row} />
    </li>
  )
}

/** Who did it, and to whom, where these are accounts. */
function Parties({ row: { actor, actorAccount, target, targetAccount } }: { row: AuditItem }) {
  const say = useSay()
  const isToItself = actor !== undefined && actor === target
  return (
    <>
      {actor && (
        <span>
          {say.nodes('by {person}', {
            person: <PersonLabel id={actor} account={actorAccount} />,
          })}
        </span>
      )}
      {target && targetAccount && !isToItself && (
        <span>
          {say.nodes('to {person}', {
            person: <PersonLabel id={target} account={targetAccount} />,
          })}
        </span>
      )}
    </>
  )
}

function RowDetails({ row }: { row: AuditItem }) {
  const say = useSay()
  const { at, actor, target, details } = row
  return (
    <details className="svc-small svc-above-1">
      <summary className="svc-disclosure">
        {say('Details')}
        <span className="svc-hidden"> {row.auditId}</span>
      </summary>
      <dl className="svc-facts svc-above-2">
        <Fact name={say('When')}>
          <ExactTime at={Date.parse(at)} />
        </Fact>
        <Fact name={say('By (user id)')}>{actor}</Fact>
        <Fact name={say('To whom or what')}>{target}</Fact>
        <Fact name={say('Address')}>{row.address}</Fact>
        <Fact name={say('Request')}>{row.requestId}</Fact>
        {Object.entries(details ?? {}).map(([name, value]) => (
          <Fact key={name} name={name}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </dl>
    </details>
  )
}

function Pager({ query, path, totalPages }: Pick<Props, 'query' | 'path' | 'totalPages'>) {
  const say = useSay()
  const { page } = query
  if (page === 1 && totalPages < 2) return null
  const turn = (to: number, label: string) => (
    <ButtonLink href={auditAddress(path, { ...query, page: to })} prefetch={false}>
      {label}
    </ButtonLink>
  )
  return (
    <nav aria-label={say('Pages')} className="svc-pager">
      {page > 1 ? turn(page - 1, say('← Newer')) : <span />}
      {page < totalPages ? turn(page + 1, say('Older →')) : <span />}
    </nav>
  )
}
