'use client'

import { Button, RelativeTime, Select, TextLink, useNow } from '@svc/web/account'
import { ListPages, withQuery } from '../acts/list-pages.tsx'
import type { OwnOrganization, TrailEntry } from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'
import { actWords, wordsIn } from './act-words.ts'
import { EntryDetails } from './entry-details.tsx'

/** Which acts are asked for. */
export interface TrailFilter {
  act?: string
  /** A user id. */
  actor?: string
}

interface TrailViewProps {
  organization: OwnOrganization
  /** One page of them. */
  entries: readonly TrailEntry[]
  filter: TrailFilter
  /** Where the next page begins, or null on the last. */
  next: string | null
  isFirst: boolean
  renderedAt: number
}

/** Who did what in an organization. The filters are in the address, and work without scripts. */
export function TrailView({
  organization,
  entries,
  filter,
  next,
  isFirst,
  ...given
}: TrailViewProps) {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const now = useNow(given.renderedAt)
  const href = pageOf(organization.slug, 'audit')
  return (
    <div className="svc-stack svc-stack-5">
      <Filters {...{ href, filter, entries }} />
      {entries.length === 0 ? (
        <p className="svc-note">
          {Object.keys(filter).length > 0
            ? say('The trail has nothing like that.')
            : say('Nothing was done in this organization yet.')}
        </p>
      ) : (
        <ul aria-label={say('Acts')} className="svc-sheet">
          {/* An entry has no id. */}
          {[...entries.entries()].map(([index, entry]) => (
            <Entry key={index} {...{ entry, filter, href, now }} />
          ))}
        </ul>
      )}
      <ListPages
        label={say('Pages of the trail')}
        {...{ href, next, isFirst }}
        query={{ ...filter }}
      />
    </div>
  )
}

interface FiltersProps {
  href: string
  filter: TrailFilter
  entries: readonly TrailEntry[]
}

function Filters({ href, filter: { act, actor }, entries }: FiltersProps) {
  const say = useOrganizationSay()
  const codes = [...Object.keys(actWords), ...entries.map((entry) => entry.act), act ?? '']
  const { actorName } = entries.find((entry) => entry.actor === actor) ?? {}
  return (
    <form role="search" action={href} className="svc-sheet svc-stack svc-stack-3">
      <Select key={act} label={say('What')} name="act" defaultValue={act ?? ''}>
        <option value="">{say('All')}</option>
        {[...new Set(codes)].filter(Boolean).map((code) => (
          <option key={code} value={code}>
            <ActWords act={code} />
          </option>
        ))}
      </Select>
      {actor !== undefined && (
        <>
          <input type="hidden" name="actor" value={actor} />
          <p className="svc-small svc-break">
            {say.nodes('Only what {person} did.', {
              person: <bdi className="svc-strong">{actorName ?? actor}</bdi>,
            })}{' '}
            <TextLink href={withQuery(href, act === undefined ? {} : { act })}>
              {say('Show what all have done')}
            </TextLink>
          </p>
        </>
      )}
      <div>
        <Button type="submit">{say('Search')}</Button>
      </div>
    </form>
  )
}

/** An act of the application is called as its words say, or by its name. */
function ActWords({ act }: { act: string }) {
  const say = useOrganizationSay()
  const words = wordsIn(actWords, act)
  return words === null ? say.fromApi(act) : say(words)
}

interface EntryProps {
  entry: TrailEntry
  filter: TrailFilter
  href: string
  now: number
}

function Entry({ entry, now, ...given }: EntryProps) {
  const say = useOrganizationSay()
  const { act, at, outcome, byOperator } = entry
  return (
    <li className="svc-listed">
      <h2 className="svc-entry-title svc-entry-title-close">
        <span className="svc-strong svc-break">
          <ActWords act={act} />
        </span>
        {outcome === 'refused' && (
          <span className="svc-badge svc-badge-tiny">{say('Refused')}</span>
        )}
        {byOperator && <span className="svc-badge svc-badge-tiny">{say('By an operator')}</span>}
      </h2>
      <p className="svc-note svc-row svc-break svc-above-half">
        <RelativeTime at={at} now={now} />
        <Parties entry={entry} {...given} />
      </p>
      <EntryDetails entry={entry} />
    </li>
  )
}

/** Who did it, and to whom, where these are here now. */
function Parties({ entry, filter, href }: Omit<EntryProps, 'now'>) {
  const say = useOrganizationSay()
  const { actor, actorName, target, targetName } = entry
  const name = <bdi>{actorName ?? say('a former member')}</bdi>
  return (
    <>
      {actor !== undefined && (
        <span>
          {say.nodes('by {person}', {
            person:
              filter.actor === actor ? (
                name
              ) : (
                <TextLink href={withQuery(href, { ...filter, actor })} prefetch={false}>
                  {name}
                </TextLink>
              ),
          })}
        </span>
      )}
      {targetName !== undefined && target !== actor && (
        <span>{say.nodes('to {person}', { person: <bdi>{targetName}</bdi> })}</span>
      )}
    </>
  )
}
