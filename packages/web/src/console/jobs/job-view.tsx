'use client'

import type { JobDetails } from '@svc/auth'
import {
  AccountPage,
  ExactTime,
  Outcome,
  Panel,
  TextLink,
  useNow,
  useSay,
} from '../../account-pages/account-pages.ts'
import { Fact } from '../fact.tsx'
import { JobActs, JobSummary } from './job-row.tsx'
import { useJobActs } from './use-job-acts.ts'

interface Props {
  job: JobDetails
  /** The address of the list. */
  list: string
  mayChange: boolean
  renderedAt: number
}

/** What an operator sees of a job, and what they can do. */
export function JobView({ job, list, mayChange, renderedAt }: Props) {
  const say = useSay()
  const now = useNow(renderedAt)
  const { list: page, done, problem, isBusy, act } = useJobActs()
  const { error, input } = job
  return (
    <AccountPage title={job.job}>
      <div ref={page} tabIndex={-1} className="svc-focusable svc-stack svc-stack-6">
        <div className="svc-outcome-box">
          <Outcome problem={problem} done={done} />
        </div>
        <p className="svc-small">
          <TextLink isAlone href={list}>
            {say('← All queues')}
          </TextLink>
        </p>
        <Panel title={say('State')}>
          <div className="svc-entry svc-entry-apart">
            <div className="svc-entry-text svc-entry-text-wide">
              <JobSummary job={job} now={now} />
              <JobFacts job={job} />
            </div>
            {mayChange && <JobActs {...{ job, isBusy }} onAct={(kind) => void act(kind, job)} />}
          </div>
        </Panel>
        {error && (
          <Panel title={say('Error')}>
            <pre className="svc-lines svc-small">
              {error.stack ?? `${error.name}: ${error.message}`}
            </pre>
          </Panel>
        )}
        {input !== undefined && (
          <Panel
            title={say('Input')}
            about={say('Secrets are left out, and addresses are shortened.')}
          >
            <pre className="svc-lines svc-small">{input}</pre>
          </Panel>
        )}
      </div>
    </AccountPage>
  )
}

function JobFacts({ job }: Pick<Props, 'job'>) {
  const say = useSay()
  const time = (at: string | undefined) => at && <ExactTime at={Date.parse(at)} />
  return (
    <dl className="svc-facts svc-small svc-above-3">
      <Fact name={say('Job id')}>
        <code className="svc-break">{job.jobId}</code>
      </Fact>
      <Fact name={say('Created')}>{time(job.createdAt)}</Fact>
      <Fact name={say('Not before')}>{time(job.startAfter)}</Fact>
      <Fact name={say('Started')}>{time(job.startedAt)}</Fact>
      <Fact name={say('Finished')}>{time(job.finishedAt)}</Fact>
    </dl>
  )
}
