import type { OAuth2GrantItem } from '@svc/auth'
import { useRef, useState } from 'react'
import { useConnectedAgents } from '../../account/use-connected-agents.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'

/** The agents, what can be done about them, and what came of it. */
export function useAgentList() {
  const say = useSay()
  const { grants, loading, disconnecting } = useConnectedAgents()
  const [last, setLast] = useState({ grantId: '', done: '' })
  const heading = useRef<HTMLHeadingElement>(null)

  async function disconnect({ grantId, clientName }: OAuth2GrantItem) {
    setLast({ grantId, done: '' })
    disconnecting.reset()
    if (!(await disconnecting.run(grantId))) return
    setLast({
      grantId: '',
      done: say('{clientName} is disconnected. It can no longer use your account.', { clientName }),
    })
    // The button that had the focus is gone with its agent.
    heading.current?.focus()
  }

  const inWords = (error: unknown) => (error ? failureWords(say, error) : '')
  return {
    grants,
    loading,
    heading,
    disconnect,
    isBusy: disconnecting.isRunning,
    outcomeOfList: { problem: inWords(loading.error), done: last.done },
    outcomeAt: (grantId: string) => ({
      problem: grantId === last.grantId ? inWords(disconnecting.error) : '',
    }),
  }
}
