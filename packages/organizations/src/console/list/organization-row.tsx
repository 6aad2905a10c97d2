import { RelativeTime, TextLink } from '@svc/web/account'
import type { Listed } from '../console-api.ts'
import { useConsoleSay } from '../words/use-console-say.ts'

interface Props {
  organization: Listed
  now: number
  /** The address of the list. */
  path: string
}

/** An organization in a list. */
export function OrganizationRow({ organization, now, path }: Props) {
  const say = useConsoleSay()
  const { organizationId, name, slug, createdAt, state } = organization
  return (
    <li className="svc-listed">
      <h2 className="svc-entry-title svc-entry-title-close">
        <TextLink isAlone href={`${path}/${organizationId}`} prefetch={false}>
          <bdi className="svc-break">{name}</bdi>
        </TextLink>
        {state === 'closed' && (
          <span className="svc-badge svc-badge-tiny">{say(stateWords(organization))}</span>
        )}
      </h2>
      <p className="svc-note svc-above-half">
        {say.nodes('{slug} · created {since}', {
          slug: <code className="svc-break">{slug}</code>,
          since: <RelativeTime at={createdAt} now={now} />,
        })}
      </p>
    </li>
  )
}

export function stateWords({ state, isClosedByOperator }: Listed) {
  if (state === 'open') return 'Open'
  return isClosedByOperator ? 'Closed by an operator' : 'Closed'
}
