'use client'

import { type AgentItem, authApi, type MachineItem } from '@svc/auth'
import { ForbiddenError, NotFoundError } from '@svc/core/client'
import { useRouter } from 'next/navigation.js'
import { useRef, useState } from 'react'
import { useAction } from '../../account/account.ts'
import {
  AccountPage,
  failureWords,
  Outcome,
  Panel,
  type Say,
  useNow,
  useSay,
} from '../../account-pages/account-pages.ts'
import { CursorPager } from '../cursor-pager.tsx'
import { AgentRow } from './agent-row.tsx'
import { MachineRow } from './machine-row.tsx'
import { type ProgramsQuery, programsAddress } from './programs-query.ts'

interface Props {
  agents: { agents: AgentItem[]; next?: string | undefined }
  machines: { machines: MachineItem[]; next?: string | undefined }
  query: ProgramsQuery
  path: string
  mayEnd: boolean
  /** The operator. */
  ownId: string
  renderedAt: number
}

/** What acts for users without them: agents of other parties, and keys of machines. */
export function ProgramsView(props: Props) {
  const say = useSay()
  const now = useNow(props.renderedAt)
  return (
    <AccountPage
      title={say('Programs')}
      about={say('Agents and machines that act for users, the newest first.')}
    >
      <div className="svc-stack svc-stack-6">
        <Machines {...props} now={now} />
        <Agents {...props} now={now} />
      </div>
    </AccountPage>
  )
}

type Shown = Props & { now: number }

function Agents({ agents: { agents, next }, query, path, now, mayEnd, ownId }: Shown) {
  const say = useSay()
  const { end, list, isBusy, outcome } = useEnding(endGrant, 'grant')
  const at = (place: string) => programsAddress(path, { ...query, agents: place })
  return (
    <Panel
      title={say('Agents')}
      about={say(
        'Programs of others that users can give access to. They choose their names themselves.',
      )}
    >
      <div ref={list} tabIndex={-1} className="svc-focusable svc-outcome-box">
        <Outcome {...outcome} />
      </div>
      {agents.length === 0 && <p className="svc-note">{say('No agent is registered.')}</p>}
      <ul className="svc-entries">
        {agents.map((agent) => (
          <AgentRow
            key={agent.clientId}
            {...{ agent, now, isBusy }}
            mayEnd={({ owner }) => mayEnd && owner.userId !== ownId}
            onEnd={(grant) => void end(grant)}
          />
        ))}
      </ul>
      <CursorPager
        label={say('Pages of agents')}
        first={query.agents ? at('') : null}
        next={next ? at(next) : null}
      />
    </Panel>
  )
}

function Machines({ machines: { machines, next }, query, path, now, mayEnd, ownId }: Shown) {
  const say = useSay()
  const { end, list, isBusy, outcome } = useEnding(endMachine, 'key')
  const at = (place: string) => programsAddress(path, { ...query, machines: place })
  return (
    <Panel
      title={say('Machine keys')}
      about={say('Keys with which scripts, jobs and agents act for their owners.')}
    >
      <div ref={list} tabIndex={-1} className="svc-focusable svc-outcome-box">
        <Outcome {...outcome} />
      </div>
      {machines.length === 0 && <p className="svc-note">{say('No machine has a key.')}</p>}
      <ul className="svc-entries">
        {machines.map((machine) => (
          <MachineRow
            key={machine.keyId}
            {...{ machine, now, isBusy }}
            mayEnd={mayEnd && machine.owner.userId !== ownId}
            onEnd={() => void end(machine)}
          />
        ))}
      </ul>
      <CursorPager
        label={say('Pages of machine keys')}
        first={query.machines ? at('') : null}
        next={next ? at(next) : null}
      />
    </Panel>
  )
}

const endMachine = ({ keyId, owner: { userId } }: MachineItem) =>
  authApi.signUserOut.call({ params: { userId }, body: { keyId } })

const endGrant = ({ grantId }: { grantId: string }) =>
  authApi.endAgentGrant.call({ params: { grantId }, body: {} })

const endedWords = {
  key: 'The key has ended. The program can no longer use it.',
  grant: 'The access has ended. The agent can no longer use the account.',
} as const

/** Ends what a row shows, and says what came of it. */
function useEnding<Row>(carryOut: (row: Row) => Promise<unknown>, what: keyof typeof endedWords) {
  const say = useSay()
  const router = useRouter()
  const [done, setDone] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const ending = useAction(async (row: Row) => {
    setDone('')
    await carryOut(row)
    setDone(say(endedWords[what]))
    // The button that had the focus disappears with its row.
    list.current?.focus({ preventScroll: true })
    router.refresh()
  })
  const problem = ending.error ? refusalWords(say, ending.error) : ''
  return { end: ending.run, list, isBusy: ending.isRunning, outcome: { problem, done } }
}

function refusalWords(say: Say, error: unknown) {
  if (error instanceof NotFoundError) return say('This access has ended already.')
  if (error instanceof ForbiddenError)
    return say(
      'Nothing was done. You can’t change an account whose role ranks as high as yours or higher.',
    )
  return failureWords(say, error)
}
