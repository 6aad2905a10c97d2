'use client'

import type { JobItem, JobQueueItem } from '@svc/auth'
import {
  AccountPage,
  Outcome,
  Select,
  TextLink,
  useNow,
  useSay,
} from '../../account-pages/account-pages.ts'
import { CursorPager } from '../cursor-pager.tsx'
import { SearchForm } from '../search-form.tsx'
import { JobQueues } from './job-queues.tsx'
import { JobRow } from './job-row.tsx'
import { stateWords } from './job-words.ts'
import { type JobsQuery, jobStates, jobsAddress } from './jobs-query.ts'
import { useJobActs } from './use-job-acts.ts'

interface Props {
  queues: JobQueueItem[]
  jobs: JobItem[]
  next: string | undefined
  query: JobsQuery
  path: string
  mayChange: boolean
  renderedAt: number
}

/** The queues, and jobs as a search has found them. The search is in the address. */
export function JobsView({ queues, query, path, renderedAt, ...found }: Props) {
  const say = useSay()
  // A link leads to another search on the same page, whose fields and outcome begin again.
  const search = jobsAddress(path, query)
  return (
    <AccountPage
      title={say('Jobs')}
      about={say('Work that goes on after a request: what waits, what has failed, and why.')}
    >
      <div className="svc-stack svc-stack-5">
        {search === path ? (
          <JobQueues queues={queues} path={path} />
        ) : (
          <p className="svc-small">
            <TextLink isAlone href={path}>
              {say('← All queues')}
            </TextLink>
          </p>
        )}
        <Search key={search} {...{ queues, query, path }} />
      </div>
      <FoundJobs key={search} {...found} {...{ query, path, renderedAt }} />
    </AccountPage>
  )
}

function Search({ queues, query, path }: Pick<Props, 'queues' | 'query' | 'path'>) {
  const say = useSay()
  return (
    <SearchForm
      path={path}
      hasMore={query.state !== undefined}
      more={
        <Select label={say('State')} name="state" defaultValue={query.state ?? ''}>
          <option value="">{say('All')}</option>
          {jobStates.map((state) => (
            <option key={state} value={state}>
              {say(stateWords[state])}
            </option>
          ))}
        </Select>
      }
    >
      <Select label={say('Queue')} name="job" defaultValue={query.job}>
        <option value="">{say('All')}</option>
        {queues.map(({ job }) => (
          <option key={job} value={job}>
            {job}
          </option>
        ))}
      </Select>
    </SearchForm>
  )
}

function FoundJobs({ jobs, next, query, path, mayChange, renderedAt }: Omit<Props, 'queues'>) {
  const say = useSay()
  const now = useNow(renderedAt)
  const { list, done, problem, isBusy, act } = useJobActs()
  return (
    <>
      <div ref={list} tabIndex={-1} className="svc-focusable">
        <div className="svc-outcome-box">
          <Outcome problem={problem} done={done} />
        </div>
        {jobs.length === 0 && (
          <p className="svc-note svc-above-5">
            {jobsAddress(path, query) === path
              ? say('No jobs yet. A job appears here when your application enqueues it.')
              : say('No job is like that. Choose another queue or state.')}
          </p>
        )}
        {jobs.length > 0 && (
          <ul aria-label={say('Jobs')} className="svc-sheet svc-above-5">
            {jobs.map((job) => (
              <JobRow
                key={job.jobId}
                {...{ job, path, now, mayChange, isBusy }}
                onAct={(kind) => void act(kind, job)}
              />
            ))}
          </ul>
        )}
      </div>
      <CursorPager
        first={query.after ? jobsAddress(path, { ...query, after: '' }) : null}
        next={next ? jobsAddress(path, { ...query, after: next }) : null}
      />
    </>
  )
}
