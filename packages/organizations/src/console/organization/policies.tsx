import { Panel } from '@svc/web/account'
import { ExactTime, Fact } from '@svc/web/console'
import type { Details } from '../console-api.ts'
import { useConsoleSay } from '../words/use-console-say.ts'

type Given = Details['policies']

export function asksAnything({ requireSecondFactor, ...others }: Given) {
  return requireSecondFactor || Object.keys(others).length > 0
}

/** What an organization asks of its members: an operator sees why an owner is refused. */
export function Policies({ policies, now }: { policies: Given; now: number }) {
  const say = useConsoleSay()
  const { waysIn, maxKeyAgeHours, maxIdleHours, allowedDomains } = policies
  if (!asksAnything(policies)) {
    return (
      <Panel title={say('Policies')}>
        <p className="svc-note">{say('This organization asks nothing of its members.')}</p>
      </Panel>
    )
  }
  const list = (texts: readonly string[] | undefined) =>
    texts && new Intl.ListFormat(say.locale, { type: 'unit' }).format(texts)
  const format = new Intl.NumberFormat(say.locale, {
    style: 'unit',
    unit: 'hour',
    unitDisplay: 'long',
  })
  const hours = (count: number | undefined) => count && format.format(count)
  return (
    <Panel title={say('Policies')} about={say('What the organization asks of its members.')}>
      <dl className="svc-facts svc-facts-wide">
        <SecondFactor policies={policies} now={now} />
        <Fact name={say('Ways to sign in')}>{list(waysIn?.map((way) => say.fromApi(way)))}</Fact>
        <Fact name={say('Sign in again after')}>{hours(maxKeyAgeHours)}</Fact>
        <Fact name={say('Sign in again if unused for')}>{hours(maxIdleHours)}</Fact>
        <Fact name={say('Domains of addresses')}>{list(allowedDomains)}</Fact>
      </dl>
    </Panel>
  )
}

function SecondFactor({ policies, now }: { policies: Given; now: number }) {
  const say = useConsoleSay()
  const { requireSecondFactor, secondFactorBy } = policies
  if (!requireSecondFactor) return null
  const by = secondFactorBy === undefined ? 0 : Date.parse(secondFactorBy)
  return (
    <Fact name={say('Second factor')}>
      {by > now
        ? say.nodes('required; earlier members have until {time}', { time: <ExactTime at={by} /> })
        : say('required')}
    </Fact>
  )
}
