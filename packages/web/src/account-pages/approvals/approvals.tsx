'use client'

import type { Approval } from '@svc/auth'
import { useRef, useState } from 'react'
import { useApprovals } from '../../account/account.ts'
import { TimeLeft } from '../device/device-facts.tsx'
import { failureWords } from '../failures/failure-words.ts'
import { useAccountChange } from '../live/account-changes.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { Button } from '../ui/button.tsx'
import { Fact } from '../ui/fact.tsx'
import { Loading } from '../ui/loading.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { RelativeTime, useNow } from '../ui/relative-time.tsx'
import type { Say } from '../words/say.ts'

interface ApprovalsViewProps extends PageSlots {
  /** The call that the address of the page names; empty if it names none. */
  approvalId: string
  renderedAt: number
}

/** The calls of programs that wait for the user's approval. */
export function ApprovalsView({ approvalId, renderedAt, ...slots }: ApprovalsViewProps) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Approvals')}
      about={say('What programs may do for you only once you approve it, each time.')}
      {...slots}
    >
      <Waiting approvalId={approvalId} renderedAt={renderedAt} />
    </AccountPage>
  )
}

function Waiting({ approvalId, renderedAt }: Omit<ApprovalsViewProps, keyof PageSlots>) {
  const say = useSay()
  const now = useNow(renderedAt)
  const list = useWaiting()
  const { approvals, loading } = list
  if (!approvals) {
    return (
      <Loading
        loading={loading}
        label={say('Loading what waits for you…')}
        problem={list.outcomeOfList.problem}
      />
    )
  }
  return <WaitingList {...list} {...{ now }} approvals={namedFirst(approvals, approvalId)} />
}

/** The one that brought the user here stands above the others. */
export const namedFirst = (approvals: readonly Approval[], approvalId: string) =>
  approvals.toSorted(
    (one, other) => Number(other.approvalId === approvalId) - Number(one.approvalId === approvalId),
  )

interface WaitingListProps
  extends Pick<
    ReturnType<typeof useWaiting>,
    'heading' | 'isBusy' | 'decide' | 'outcomeOfList' | 'problemAt'
  > {
  approvals: Approval[]
  now: number
}

function WaitingList({ approvals, now, heading, isBusy, decide, ...outcomes }: WaitingListProps) {
  const say = useSay()
  return (
    <section aria-labelledby="approvals" className="svc-sheet">
      <h2 id="approvals" ref={heading} tabIndex={-1} className="svc-title">
        {countOfCalls(say, approvals.length)}
      </h2>
      <p className="svc-note svc-prose svc-above-1">
        {approvals.length > 0
          ? say('Approve only what you asked for. Each approval is for one call with these values.')
          : say('When a program asks for your approval, what it wants to do appears here.')}
      </p>
      <div className="svc-outcome-box">
        <Outcome {...outcomes.outcomeOfList} />
      </div>
      <ul className="svc-entries">
        {approvals.map((approval) => (
          <li key={approval.approvalId} className="svc-entry-box">
            <Call approval={approval} now={now} />
            <Outcome problem={outcomes.problemAt(approval.approvalId)} />
            <div className="svc-row svc-above-2">
              <Button
                look="primary"
                isBusy={isBusy}
                onClick={() => void decide(approval, 'approved')}
              >
                {say('Approve')}
              </Button>
              <Button
                look="danger"
                isBusy={isBusy}
                onClick={() => void decide(approval, 'refused')}
              >
                {say('Refuse')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Who asks, for what, and with which values. The program has chosen its name and the values itself. */
function Call({ approval, now }: { approval: Approval; now: number }) {
  const say = useSay()
  const { title, operation, given, askedAtMillis, expiresAtMillis } = approval
  return (
    <>
      <h3 className="svc-strong svc-break">{say.fromApi(title)}</h3>
      <dl className="svc-facts svc-small svc-above-2">
        <Fact name={say('Asked by')}>
          <bdi className="svc-break">{askerName(say, approval)}</bdi>
        </Fact>
        <Fact name={say('Operation')}>
          <code className="svc-break">{operation}</code>
        </Fact>
        {Object.entries(given).map(([name, value]) => (
          <Fact key={name} name={name}>
            <bdi className="svc-break svc-lines">{textOfValue(value)}</bdi>
          </Fact>
        ))}
        <Fact name={say('Asked')}>
          <RelativeTime at={askedAtMillis} now={now} />
        </Fact>
        <Fact name={say('Expires in')}>
          <TimeLeft until={expiresAtMillis} />
        </Fact>
      </dl>
    </>
  )
}

/** Text as it is, and all else as JSON. */
export const textOfValue = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

const kinds = {
  agent: 'An agent',
  machine: 'A machine',
  device: 'A device',
} as const

function askerName(say: Say, { asker: { kind, name } }: Approval) {
  const ofKind = say(kinds[kind] ?? kinds.agent)
  return name === undefined ? ofKind : `${name} · ${ofKind}`
}

export function countOfCalls(say: Say, count: number) {
  if (count === 0) return say('Nothing waits for you')
  return count === 1 ? say('1 call waits for you') : say('{count} calls wait for you', { count })
}

/** What waits, the user's decisions, and the result of the last one. */
function useWaiting() {
  const say = useSay()
  const { approvals, loading, approving, refusing, reload } = useApprovals()
  const [last, setLast] = useState({ approvalId: '', done: '' })
  const heading = useRef<HTMLHeadingElement>(null)
  useAccountChange(reload)

  async function decide({ approvalId }: Approval, decision: 'approved' | 'refused') {
    setLast({ approvalId, done: '' })
    approving.reset()
    refusing.reset()
    const deciding = decision === 'approved' ? approving : refusing
    const decided = await deciding.run(approvalId)
    if (!decided) return
    setLast({ approvalId: '', done: say(decided.isMine ? words[decision] : words.over) })
    // The buttons disappear with what was decided.
    heading.current?.focus()
  }

  const inWords = (error: unknown) => (error ? failureWords(say, error) : '')
  return {
    approvals,
    loading,
    heading,
    decide,
    isBusy: approving.isRunning || refusing.isRunning,
    outcomeOfList: { problem: inWords(loading.error), done: last.done },
    problemAt: (approvalId: string) =>
      approvalId === last.approvalId ? inWords(approving.error ?? refusing.error) : '',
  }
}

const words = {
  approved: 'Approved. The program can do this once, within ten minutes.',
  refused: 'Refused. The program has done nothing.',
  over: 'This was decided elsewhere, or it was too late.',
} as const
