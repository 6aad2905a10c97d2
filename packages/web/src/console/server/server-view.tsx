'use client'

import type { ServerState } from '@svc/auth'
import {
  AccountPage,
  Panel,
  RelativeTime,
  type Say,
  useNow,
  useSay,
} from '../../account-pages/account-pages.ts'
import { Fact } from '../fact.tsx'
import { Configured, Providers } from './configured.tsx'

interface Props {
  state: ServerState
  renderedAt: number
}

/** How the server is, and what is configured. It has names of variables, and no value. */
export function ServerView({ state, renderedAt }: Props) {
  const say = useSay()
  const now = useNow(renderedAt)
  return (
    <AccountPage
      title={say('Server')}
      about={say(
        'What the server stands on, and what is configured. To check a sign-in from outside, run “svc doctor”.',
      )}
    >
      <div className="svc-stack svc-stack-6">
        <Health state={state} now={now} />
        <Configured features={state.features} />
        <Providers providers={state.providers} />
      </div>
    </AccountPage>
  )
}

function Health({ state, now }: { state: ServerState; now: number }) {
  const say = useSay()
  const { status, services, clock, migrations, versions, instance, instances } = state
  return (
    <Panel title={say('Health')}>
      <dl className="svc-facts svc-facts-wide svc-small">
        <Fact name={say('Status')}>
          {status === 'ok' ? (
            say('Healthy')
          ) : (
            <strong className="svc-problem">{say('Degraded')}</strong>
          )}
        </Fact>
        {services.map(({ name, state: of }) => (
          <Fact key={name} name={serviceName(say, name)}>
            {say(stateWords[of])}
          </Fact>
        ))}
        {clock && (
          <Fact name={say('Clock')}>
            {clock.state === 'right'
              ? say('Right')
              : say('{millis} ms ahead of the database', { millis: clock.aheadMillis })}
          </Fact>
        )}
        {migrations && (
          <Fact name={say('Migrations')}>
            {say('{applied} applied, {pending} pending', migrations)}
          </Fact>
        )}
        <Fact
          name={say('Versions')}
        >{`${versions.svc ? `Svc ${versions.svc}, ` : ''}Node ${versions.node}, PostgreSQL ${versions.postgres}`}</Fact>
        <Fact name={say('Answered by')}>
          {say.nodes('{name}, started {since}', {
            name: <bdi>{instance.name}</bdi>,
            since: <RelativeTime at={instance.startedAt} now={now} />,
          })}
        </Fact>
        <Fact name={say('Instances')}>{instanceWords(say, instances)}</Fact>
      </dl>
    </Panel>
  )
}

const stateWords = {
  up: 'Up',
  down: 'Down',
  read_only: 'Read-only',
  behind: 'Behind',
} as const

function serviceName(say: Say, name: string) {
  if (name === 'database') return say('Database')
  if (name === 'cache') return say('Cache')
  return name === 'replica' ? say('Replica') : name
}

function instanceWords(say: Say, { answered, asked }: ServerState['instances']) {
  return asked === undefined
    ? say('{answered} answered', { answered })
    : say('{answered} of {asked} answered', { answered, asked })
}
