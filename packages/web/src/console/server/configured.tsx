import type { Feature, FeatureName, ProviderState } from '@svc/auth'
import type { ReactNode } from 'react'
import { type AccountSentence, Panel, useSay } from '../../account-pages/account-pages.ts'

const featureWords: Record<FeatureName, AccountSentence> = {
  mail: 'Mail by SMTP',
  sms: 'Text messages',
  encryption: 'Encryption of second factors and tokens',
  agents: 'Authorization server for agents',
  support: 'Support sessions',
  'strict binding': 'Requests bound to device keys',
  'breached passwords': 'Check for breached passwords',
  limits: 'Rate limits',
  'send work': 'Work before a message is sent',
  cache: 'Shared cache',
  replica: 'Reads from a replica',
  metrics: 'Metrics',
  traces: 'Traces',
}

/** What is on and off, with the names of what turns it on. */
export function Configured({ features }: { features: Feature[] }) {
  const say = useSay()
  return (
    <Panel
      title={say('Configured')}
      about={say('Variables and options of the API turn these on. Their values are not shown.')}
    >
      <ul className="svc-entries">
        {features.map(({ name, isOn, setBy }) => (
          <Row key={name} title={featureWords[name] ? say(featureWords[name]) : name} setBy={setBy}>
            <Badge isOn={isOn}>{isOn ? say('On') : say('Off')}</Badge>
          </Row>
        ))}
      </ul>
    </Panel>
  )
}

/** With whom users can sign in, in browsers and in apps. */
export function Providers({ providers }: { providers: ProviderState[] }) {
  const say = useSay()
  return (
    <Panel title={say('Providers of sign-in')}>
      <ul className="svc-entries">
        {providers.map(({ id, web, native, setBy, missing }) => (
          <Row key={id} title={id} setBy={setBy}>
            {web && <Badge isOn>{say('In browsers')}</Badge>}
            {native && <Badge isOn>{say('In apps')}</Badge>}
            {!web && !native && <Badge isOn={false}>{say('Off')}</Badge>}
            {missing && (
              <p className="svc-problem svc-row-whole">
                {say('Off in browsers: {variable} is missing.', { variable: missing })}
              </p>
            )}
          </Row>
        ))}
      </ul>
    </Panel>
  )
}

interface RowProps {
  title: string
  setBy: readonly string[]
  children: ReactNode
}

function Row({ title, setBy, children }: RowProps) {
  return (
    <li className="svc-entry-box">
      <h3 className="svc-entry-title">
        <bdi>{title}</bdi>
        {children}
      </h3>
      {setBy.length > 0 && (
        <p className="svc-note svc-above-half svc-break">
          <code>{setBy.join(', ')}</code>
        </p>
      )}
    </li>
  )
}

function Badge({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  return (
    <span className={`svc-badge svc-badge-tiny${isOn ? ' svc-badge-fresh' : ''}`}>{children}</span>
  )
}
