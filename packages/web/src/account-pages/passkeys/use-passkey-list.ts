import type { PasskeyItem } from '@svc/auth'
import { useRef, useState } from 'react'
import { useMfaStatus, usePasskeys, useSessionBinding } from '../../account/account.ts'
import { passkeyFailure } from '../failures/passkey-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { lostWith, markedWords, passkeyName } from './passkey-words.ts'

// The place of a result that is not of one passkey. The place of the others is the passkey's id.
const adds = 'adds'
const listed = 'listed'

interface Last {
  place: string
  done: string
  undo?: () => void
}

/** The passkeys, the actions for them, and the result of the last one. */
export function usePasskeyList() {
  const say = useSay()
  const { isSupported, passkeys, loading, ...actions } = usePasskeys()
  const { adding, renaming, removing, marking } = actions
  const { status } = useMfaStatus()
  const { binding } = useSessionBinding()
  const [last, setLast] = useState<Last>({ place: '', done: '' })
  const heading = useRef<HTMLHeadingElement>(null)

  function begin(place: string) {
    setLast({ place, done: '' })
    for (const { reset } of [adding, renaming, removing, marking]) reset()
  }

  const tell = (place: string, done: string) => setLast({ place, done })

  async function add(label: string) {
    begin(adds)
    const added = await adding.run(label)
    if (added)
      tell(
        adds,
        say('{name} is added. You can now sign in with it.', {
          name: passkeyName(say, added),
        }),
      )
    return Boolean(added)
  }

  async function rename({ passkeyId, label: before }: PasskeyItem, label: string) {
    begin(passkeyId)
    const renamed = await renaming.run({ passkeyId, label })
    if (renamed) tellRenamed(passkeyId, label, before)
    return renamed !== null
  }

  /** Undone is a name only, because a passkey that has one can't be without. */
  function tellRenamed(passkeyId: string, label: string, before?: string) {
    setLast({
      place: passkeyId,
      done: say('The passkey is now called {label}.', { label }),
      ...(before && { undo: () => void renameBack(passkeyId, before) }),
    })
  }

  async function renameBack(passkeyId: string, label: string) {
    begin(passkeyId)
    if (await renaming.run({ passkeyId, label })) tellRenamed(passkeyId, label)
  }

  async function remove(passkey: PasskeyItem) {
    begin(passkey.passkeyId)
    if (!(await removing.run(passkey.passkeyId))) return
    tell(
      listed,
      say('{name} is removed. You can no longer sign in with it.', {
        name: passkeyName(say, passkey),
      }),
    )
    // The button that had the focus disappears with its passkey.
    heading.current?.focus()
  }

  async function mark(passkey: PasskeyItem) {
    const { passkeyId, secondFactor } = passkey
    begin(passkeyId)
    const marked = await marking.run({ passkeyId, secondFactor: !secondFactor })
    if (marked) tell(passkeyId, markedWords(say, passkey, marked))
  }

  /** The result of the last action, if it belongs to this place. */
  function outcomeAt(place: string) {
    const ofPasskey = renaming.error ?? removing.error ?? marking.error
    const errors = new Map([
      [listed, loading.error],
      [last.place, ofPasskey],
      [adds, adding.error],
    ])
    const error = errors.get(place)
    return {
      problem: error ? passkeyFailure(say, error) : '',
      ...(last.place === place && { done: last.done, undo: last.undo }),
    }
  }

  return {
    isSupported,
    passkeys,
    loading,
    isAdding: adding.isRunning,
    isBusy: renaming.isRunning || removing.isRunning || marking.isRunning,
    outcomeOfAdding: outcomeAt(adds),
    outcomeOfList: outcomeAt(listed),
    outcomeAt,
    lostWith: (passkey: PasskeyItem) =>
      lostWith(say, passkey, { passkeys: passkeys ?? [], status, binding }),
    heading,
    add,
    rename,
    remove,
    mark,
  }
}
