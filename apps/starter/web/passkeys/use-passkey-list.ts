import type { PasskeyItem } from '@svc/auth'
import { usePasskeys } from '@svc/web/react'
import { useRef, useState } from 'react'
import { passkeyFailure } from './passkey-failure.ts'
import { markedWords, passkeyName } from './passkey-words.ts'

/** The passkeys, what can be done about them, and what came of it. */
export function usePasskeyList() {
  const { isSupported, passkeys, loading, ...actions } = usePasskeys()
  const { adding, renaming, removing, marking } = actions
  const [done, setDone] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)

  function begin() {
    setDone('')
    for (const { reset } of [adding, renaming, removing, marking]) reset()
  }

  async function add(label: string) {
    begin()
    const added = await adding.run(label)
    if (added) setDone(`${passkeyName(added)} is added. You can sign in with it from now on.`)
    return Boolean(added)
  }

  async function rename({ passkeyId }: PasskeyItem, label: string) {
    begin()
    const renamed = await renaming.run({ passkeyId, label })
    if (renamed) setDone(`It is called ${label} now.`)
    return renamed !== null
  }

  async function remove(passkey: PasskeyItem) {
    begin()
    if (!(await removing.run(passkey.passkeyId))) return
    setDone(`${passkeyName(passkey)} is removed. It opens this account no more.`)
    // The button that had the focus is gone with its passkey.
    heading.current?.focus()
  }

  async function mark(passkey: PasskeyItem) {
    begin()
    const { passkeyId, secondFactor } = passkey
    const status = await marking.run({ passkeyId, secondFactor: !secondFactor })
    if (status) setDone(markedWords(passkey, status))
  }

  const error = adding.error ?? renaming.error ?? removing.error ?? marking.error ?? loading.error
  return {
    isSupported,
    passkeys,
    loading,
    isAdding: adding.isRunning,
    isBusy: renaming.isRunning || removing.isRunning || marking.isRunning,
    problem: error ? passkeyFailure(error) : '',
    done,
    heading,
    add,
    rename,
    remove,
    mark,
  }
}
