'use client'

import type { LimitHitItem } from '@svc/auth'
import {
  AccountPage,
  ExactTime,
  RelativeTime,
  useNow,
  useSay,
} from '../../account-pages/account-pages.ts'

interface Props {
  areOn: boolean
  instance: { name: string }
  since: string
  hits: LimitHitItem[]
  renderedAt: number
}

/** Which limits have refused requests, and how often. */
export function LimitsView({ areOn, instance, since, hits, renderedAt }: Props) {
  const say = useSay()
  const now = useNow(renderedAt)
  return (
    <AccountPage
      title={say('Limits')}
      about={say('Limits that have refused requests, the most frequent first.')}
    >
      <p className="svc-note">
        {say.nodes('Counted by {instance} since {since}. Other instances count their own.', {
          instance: <bdi>{instance.name}</bdi>,
          since: <ExactTime at={Date.parse(since)} />,
        })}
      </p>
      {hits.length === 0 ? (
        <p className="svc-note svc-above-5">
          {areOn
            ? say('No limit has refused a request.')
            : say('Limits are off. SVC_RATE_LIMIT turns them on.')}
        </p>
      ) : (
        <ul aria-label={say('Limits')} className="svc-sheet svc-above-5">
          {hits.map(({ limit, count, lastAt }) => (
            <li key={limit} className="svc-listed">
              <h2 className="svc-entry-title svc-entry-title-close">
                <code className="svc-break">{limit}</code>
                <span className="svc-badge svc-badge-tiny">{say('{count} times', { count })}</span>
              </h2>
              <p className="svc-note svc-above-half">
                {say.nodes('Refused last {since}', {
                  since: <RelativeTime at={lastAt} now={now} />,
                })}
              </p>
            </li>
          ))}
        </ul>
      )}
    </AccountPage>
  )
}
