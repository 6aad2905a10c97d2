'use client'

import { authApi, type KeyRegistration } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../account/account.ts'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { formText } from '../ui/field.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import type { Say } from '../words/say.ts'
import { MachineForm } from './machine-form.tsx'
import {
  daysRule,
  machineFailure,
  readDays,
  readRegistration,
  registeredWords,
} from './machine-words.ts'

interface Props extends PageSlots {
  permissions: string[]
}

/** Registers the key of a program. */
export function MachinesView({ permissions, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Machine keys')}
      about={say(
        'A script, a CI job or an agent signs requests for you with its own key, and never has your password. You choose its permissions, and after how many days its key expires.',
      )}
      {...slots}
    >
      <RegisterMachine permissions={permissions} />
    </AccountPage>
  )
}

interface NewMachine extends KeyRegistration {
  deviceName?: string
  permissions: string[]
  expiresInDays: number
}

/** Registers the key of a program for the account of the signed-in user. */
function RegisterMachine({ permissions }: { permissions: string[] }) {
  const say = useSay()
  const router = useRouter()
  const [chosen, setChosen] = useState<string[]>([])
  const [wrong, setWrong] = useState(nothing)
  const [done, setDone] = useState('')
  const { run, error, isRunning, reset } = useAction((body: NewMachine) =>
    authApi.createMachineKey.call({ body }),
  )

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const given = readForm(say, new FormData(form))
    setDone('')
    reset()
    setWrong('wrong' in given ? given.wrong : nothing)
    if ('wrong' in given) return
    const machine = await run({ ...given, permissions: chosen })
    if (!machine) return
    form.reset()
    setChosen([])
    setDone(registeredWords(say, machine, given.expiresInDays))
    // The browser may come back to an older copy of the list of devices.
    router.refresh()
  }

  return (
    <MachineForm
      {...{ permissions, chosen, isRunning, wrong, done }}
      problem={error ? machineFailure(say, error) : ''}
      onChoose={setChosen}
      onSubmit={(event) => void submit(event)}
    />
  )
}

const nothing = { registration: '', days: '' }

/** The input, or what is wrong with each field. */
function readForm(
  say: Say,
  form: FormData,
): Omit<NewMachine, 'permissions'> | { wrong: typeof nothing } {
  const registration = readRegistration(say, formText(form, 'registration'))
  const expiresInDays = readDays(formText(form, 'days'))
  if (typeof registration === 'string' || expiresInDays === null) {
    return {
      wrong: {
        registration: typeof registration === 'string' ? registration : '',
        days: expiresInDays === null ? say(daysRule) : '',
      },
    }
  }
  const deviceName = formText(form, 'deviceName').trim()
  return { ...registration, ...(deviceName && { deviceName }), expiresInDays }
}
