import { Button, ConfirmButton, Outcome, RelativeTime } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { useEffect, useState } from 'react'
import { dayOf } from '../acts/moment.ts'
import { useAct } from '../acts/use-act.ts'
import {
  type OwnOrganization,
  organizationApi,
  type ServiceAccount,
  type ServiceKey,
} from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { AddKey, nameOfKey } from './add-key.tsx'

interface MachineKeysProps {
  organization: OwnOrganization
  account: ServiceAccount
  now: number
}

/** The keys of a service account. They are read when the account is opened. */
export function MachineKeys({ organization, account, now }: MachineKeysProps) {
  const say = useOrganizationSay()
  const params = { org: organization.organizationId, userId: account.userId }
  const [keys, setKeys] = useState<readonly ServiceKey[]>([])
  const [replaced, setReplaced] = useState<ServiceKey | null>(null)
  const acting = useAct()
  const { run: read } = useAction(async (org: string, userId: string) => {
    setKeys((await organizationApi.listServiceKeys.call({ params: { org, userId } })).keys)
  })
  const { org, userId } = params
  useEffect(() => void read(org, userId), [read, org, userId])

  async function revoke(key: ServiceKey) {
    await acting.run(
      () => organizationApi.revokeServiceKey.call({ params: { ...params, keyId: key.keyId } }),
      say('The key {name} is revoked. Its next request is refused.', { name: nameOfKey(key) }),
    )
    await read(org, userId)
  }

  return (
    <section className="svc-stack svc-stack-3">
      <h3 className="svc-strong">{say('Keys of the program')}</h3>
      <Outcome problem={acting.problem} done={acting.done} />
      {keys.length > 0 && (
        <ul className="svc-entries">
          {keys.map((key) => (
            <KeyRow
              key={key.keyId}
              of={key}
              {...{ now, replaced }}
              isBusy={acting.isBusy}
              onReplace={() => setReplaced(replaced === key ? null : key)}
              onRevoke={() => void revoke(key)}
            />
          ))}
        </ul>
      )}
      <AddKey
        {...{ params, replaced }}
        onAdded={() => {
          setReplaced(null)
          void read(org, userId)
        }}
      />
    </section>
  )
}

interface KeyRowProps {
  of: ServiceKey
  now: number
  replaced: ServiceKey | null
  isBusy: boolean
  onReplace: () => void
  onRevoke: () => void
}

function KeyRow({ of: key, now, replaced, isBusy, onReplace, onRevoke }: KeyRowProps) {
  const say = useOrganizationSay()
  const { fingerprintPrefix, expiresAtMillis, lastUsedAtMillis } = key
  const name = nameOfKey(key)
  return (
    <li className="svc-entry-box">
      <div className="svc-entry svc-entry-apart">
        <div className="svc-entry-text svc-entry-text-wide">
          <h4 className="svc-strong svc-break">
            <bdi>{name}</bdi>
          </h4>
          <p className="svc-note svc-above-half">
            {say.nodes('Key {key}.', { key: <code>{fingerprintPrefix}</code> })}{' '}
            {expiresAtMillis !== undefined &&
              say('It expires on {day}.', {
                day: dayOf(say, new Date(expiresAtMillis).toISOString()),
              })}{' '}
            {lastUsedAtMillis === undefined
              ? say('Not used yet.')
              : say.nodes('Last used {since}.', {
                  since: <RelativeTime at={lastUsedAtMillis} now={now} />,
                })}
          </p>
        </div>
        <div className="svc-row">
          <Button aria-pressed={replaced === key} onClick={onReplace}>
            {say('Replace')}
            <span className="svc-hidden"> {name}</span>
          </Button>
          <ConfirmButton
            look="danger"
            isBusy={isBusy}
            question={say('Revoke the key {name}? Its next request is refused.', { name })}
            confirm={say('Yes, revoke it')}
            onConfirm={onRevoke}
          >
            {say('Revoke')}
            <span className="svc-hidden"> {name}</span>
          </ConfirmButton>
        </div>
      </div>
    </li>
  )
}
