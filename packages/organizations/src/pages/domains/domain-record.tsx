import { Outcome, QuietButton, useCopy, useSay } from '@svc/web/account'
import { Fragment } from 'react'
import type { Domain } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'

/** The record that proves a domain, as the forms of DNS hosts ask for it. */
export function DomainRecord({ of: { domain, record } }: { of: Domain }) {
  const say = useOrganizationSay()
  const account = useSay()
  const { copy, ...copied } = useCopy()
  const facts = [
    { name: say('Type'), text: 'TXT' },
    { name: say('Name'), text: record.name },
    { name: say('Value'), text: record.value },
  ]
  return (
    <>
      <dl className="svc-facts svc-small svc-above-2">
        {facts.map(({ name, text }) => (
          <Fragment key={name}>
            <dt className="svc-faded">{name}</dt>
            <dd className="svc-fact">
              <code>{text}</code>{' '}
              <QuietButton onClick={() => void copy(text)}>
                {account('Copy')}
                <span className="svc-hidden">
                  {' '}
                  {name}: {domain}
                </span>
              </QuietButton>
            </dd>
          </Fragment>
        ))}
      </dl>
      <p className="svc-note">
        {say('Some DNS hosts add your domain to the name themselves. Leave it out there.')}
      </p>
      <Outcome {...copied} />
    </>
  )
}
