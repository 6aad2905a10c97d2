import type { JobItem } from '@svc/auth'
import {
  Button,
  ConfirmButton,
  ExactTime,
  RelativeTime,
  useSay,
} from '../../account-pages/account-pages.ts'
import { Fact } from '../fact.tsx'
import { stateWords } from './job-words.ts'
import type { JobAct } from './use-job-acts.ts'

interface Props {
  job: JobItem
  now: number
  mayChange: boolean
  isBusy: boolean
  onAct: (act: JobAct) => void
}

/** A job: what it came to, why it failed, and what an operator can do about it. */
export function JobRow({ job, now, mayChange, isBusy, onAct }: Props) {
  const say = useSay()
  const { attempt, retryLimit, error, state } = job
  return (
    <li className="svc-listed">
      <div className="svc-entry svc-entry-apart">
        <div className="svc-entry-text svc-entry-text-wide">
          <h2 className="svc-entry-title svc-entry-title-close">
            <code>{job.job}</code>
            <span className="svc-badge svc-badge-tiny">{say(stateWords[state])}</span>
          </h2>
          <p className="svc-note svc-above-half">
            <StateTime job={job} now={now} />
            {attempt > 0 &&
              ` · ${say('{attempt} of {most} runs', { attempt, most: retryLimit + 1 })}`}
          </p>
          {error && (
            <p className="svc-small svc-problem svc-above-1 svc-break">
              <bdi>
                {error.name}: {error.message}
              </bdi>
            </p>
          )}
          <JobDetails job={job} />
        </div>
        {mayChange && <JobActs {...{ job, isBusy, onAct }} />}
      </div>
    </li>
  )
}

/** Since when it is in its state, or when it will run. */
function StateTime({ job, now }: Pick<Props, 'job' | 'now'>) {
  const say = useSay()
  const { state, startAfter } = job
  if (state === 'waiting' && Date.parse(startAfter) > now) {
    return say.nodes('Runs at {time}', { time: <ExactTime at={Date.parse(startAfter)} /> })
  }
  return say.nodes(sinceWords[state], { since: <RelativeTime at={sinceOf(job)} now={now} /> })
}

function sinceOf({ state, startAfter, startedAt, finishedAt, createdAt }: JobItem) {
  if (state === 'waiting') return startAfter
  return (state === 'running' ? startedAt : finishedAt) ?? createdAt
}

const sinceWords = {
  waiting: 'Due {since}',
  running: 'Started {since}',
  failed: 'Failed {since}',
  done: 'Done {since}',
  cancelled: 'Cancelled {since}',
} as const

function JobDetails({ job }: Pick<Props, 'job'>) {
  const say = useSay()
  const time = (at: string | undefined) => at && <ExactTime at={Date.parse(at)} />
  return (
    <details className="svc-small svc-above-1">
      <summary className="svc-disclosure">
        {say('Details')}
        <span className="svc-hidden"> {job.jobId}</span>
      </summary>
      <dl className="svc-facts svc-above-2">
        <Fact name={say('Job id')}>{job.jobId}</Fact>
        <Fact name={say('Created')}>{time(job.createdAt)}</Fact>
        <Fact name={say('Not before')}>{time(job.startAfter)}</Fact>
        <Fact name={say('Started')}>{time(job.startedAt)}</Fact>
        <Fact name={say('Finished')}>{time(job.finishedAt)}</Fact>
      </dl>
    </details>
  )
}

function JobActs({ job, isBusy, onAct }: Pick<Props, 'job' | 'isBusy' | 'onAct'>) {
  const say = useSay()
  const of = (
    <span className="svc-hidden">
      {' '}
      {job.job} {job.jobId}
    </span>
  )
  if (job.state === 'failed') {
    return (
      <Button isBusy={isBusy} onClick={() => onAct('retry')}>
        {say('Try again')}
        {of}
      </Button>
    )
  }
  if (job.state !== 'waiting') return null
  return (
    <ConfirmButton
      isBusy={isBusy}
      question={say('Cancel this job? It will not run.')}
      confirm={say('Yes, cancel it')}
      cancel={say('Let it run')}
      onConfirm={() => onAct('cancel')}
    >
      {say('Cancel')}
      {of}
    </ConfirmButton>
  )
}
