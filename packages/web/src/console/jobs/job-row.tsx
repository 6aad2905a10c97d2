import type { JobItem } from '@svc/auth'
import {
  Button,
  ConfirmButton,
  ExactTime,
  RelativeTime,
  TextLink,
  useSay,
} from '../../account-pages/account-pages.ts'
import { stateWords } from './job-words.ts'
import type { JobAct } from './use-job-acts.ts'

interface Props {
  job: JobItem
  /** The address of the list. */
  path: string
  now: number
  mayChange: boolean
  isBusy: boolean
  onAct: (act: JobAct) => void
}

/** A job: what it came to, why it failed, and what an operator can do about it. */
export function JobRow({ job, path, now, mayChange, isBusy, onAct }: Props) {
  const { error } = job
  return (
    <li className="svc-listed">
      <div className="svc-entry svc-entry-apart">
        <div className="svc-entry-text svc-entry-text-wide">
          <h2 className="svc-entry-title svc-entry-title-close">
            <TextLink isAlone href={`${path}/${job.jobId}`} prefetch={false}>
              <code className="svc-break">{job.job}</code>
              <span className="svc-hidden"> {job.jobId}</span>
            </TextLink>
          </h2>
          <JobSummary job={job} now={now} />
          {error && (
            <p className="svc-small svc-problem svc-above-1 svc-break">
              <bdi>
                {error.name}: {error.message}
              </bdi>
            </p>
          )}
        </div>
        {mayChange && <JobActs {...{ job, isBusy, onAct }} />}
      </div>
    </li>
  )
}

/** Its state, since when, and how often it ran. */
export function JobSummary({ job, now }: Pick<Props, 'job' | 'now'>) {
  const say = useSay()
  const { attempt, retryLimit, state } = job
  return (
    <p className="svc-note svc-above-half">
      <span className="svc-badge svc-badge-tiny">{say(stateWords[state])}</span>{' '}
      <StateTime job={job} now={now} />
      {attempt > 0 && ` · ${say('{attempt} of {most} runs', { attempt, most: retryLimit + 1 })}`}
    </p>
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

/** What can be done about it in its state. */
export function JobActs({ job, isBusy, onAct }: Pick<Props, 'job' | 'isBusy' | 'onAct'>) {
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
