import {
  Field,
  machineFailure,
  Outcome,
  readRegistration,
  TextArea,
  useSay,
} from '@svc/web/account'
import { useState } from 'react'
import { ActForm } from '../acts/act-form.tsx'
import { useAct } from '../acts/use-act.ts'
import { organizationApi, type ServiceKey } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'

interface AddKeyProps {
  params: { org: string; userId: string }
  /** The key that ends when the new one is there. */
  replaced: ServiceKey | null
  onAdded: () => void
}

interface Added {
  keyId: string
  fingerprintPrefix: string
}

/** Registers the key that a program has made. Its private half never comes here. */
export function AddKey({ params, replaced, onAdded }: AddKeyProps) {
  const say = useOrganizationSay()
  const account = useSay()
  const [pasted, setPasted] = useState('')
  const [days, setDays] = useState('90')
  const [wrong, setWrong] = useState('')
  const [added, setAdded] = useState<Added | null>(null)
  const otherwise = (error: unknown) => machineFailure(account, error)
  const adding = useAct({ otherwise })
  const ending = useAct({ otherwise })
  /** What the key is called that should have ended with the new one. */
  const [left, setLeft] = useState('')

  async function submit() {
    const registration = readRegistration(account, pasted)
    setAdded(null)
    setLeft('')
    setWrong(typeof registration === 'string' ? registration : '')
    if (typeof registration === 'string') return
    const body = { ...registration, expiresInDays: Number(days) }
    const isDone = await adding.run(async () => {
      setAdded(await organizationApi.createServiceKey.call({ params, body }))
    }, say('The key is added.'))
    if (!isDone) return
    setPasted('')
    if (replaced) await end(replaced)
    onAdded()
  }

  async function end(key: ServiceKey) {
    const { revokeServiceKey } = organizationApi
    const revoke = () => revokeServiceKey.call({ params: { ...params, keyId: key.keyId } })
    if (!(await ending.run(revoke, ''))) setLeft(nameOfKey(key))
  }

  return (
    <ActForm
      label={replaced ? say('Replace the key') : say('Add the key')}
      busyLabel={say('Saving…')}
      isBusy={adding.isBusy}
      look="plain"
      outcome={
        <>
          <Outcome problem={adding.problem} done={adding.done} />
          {left && (
            <p role="alert" className="svc-small svc-problem svc-break">
              {say('The key {name} has not ended. While it is in the list, it works: revoke it.', {
                name: left,
              })}{' '}
              {ending.problem}
            </p>
          )}
          {added && <ForProgram org={params.org} keyId={added.keyId} />}
        </>
      }
      onSubmit={submit}
    >
      {replaced && (
        <p className="svc-note">
          {say('When the new key is added, the key {name} ends.', {
            name: nameOfKey(replaced),
          })}
        </p>
      )}
      <TextArea
        label={account('Registration')}
        rows={3}
        autoComplete="off"
        spellCheck={false}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
        problem={wrong}
        hint={account(
          'Paste the text that the program prints after it creates its key. It is public. The private half stays with the program.',
        )}
      />
      <Field
        label={account('Days')}
        type="number"
        min={1}
        max={365}
        value={days}
        onChange={(event) => setDays(event.target.value)}
        hint={account('From 1 to 365.')}
      />
    </ActForm>
  )
}

/** What a key is called in sentences. */
export const nameOfKey = ({ deviceName, fingerprintPrefix }: ServiceKey) =>
  deviceName ?? fingerprintPrefix

/** What the program is told now. Neither is a secret. */
function ForProgram({ org, keyId }: { org: string; keyId: string }) {
  const say = useOrganizationSay()
  return (
    <div className="svc-stack svc-stack-2">
      <p className="svc-small">{say('Copy these into the settings of the program:')}</p>
      <dl className="svc-facts svc-small">
        <dt className="svc-faded">{say('Organization')}</dt>
        <dd className="svc-fact">
          <code>{org}</code>
        </dd>
        <dt className="svc-faded">{say('Key')}</dt>
        <dd className="svc-fact">
          <code>{keyId}</code>
        </dd>
      </dl>
    </div>
  )
}
