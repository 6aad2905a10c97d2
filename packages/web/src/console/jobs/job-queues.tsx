import type { JobQueueItem } from '@svc/auth'
import { ExactTime, Panel, TextLink, useSay } from '../../account-pages/account-pages.ts'
import { jobsAddress } from './jobs-query.ts'

interface Props {
  queues: JobQueueItem[]
  path: string
}

/** The jobs by name, with how many there are. Names that have none are folded. */
export function JobQueues({ queues, path }: Props) {
  const say = useSay()
  const used = queues.filter((queue) => countsOf(queue).length > 0)
  const idle = queues.filter((queue) => !used.includes(queue))
  return (
    <Panel title={say('Queues')}>
      {used.length === 0 && <p className="svc-note">{say('Nothing waits, runs or has failed.')}</p>}
      <QueueList queues={used} path={path} />
      {idle.length > 0 && (
        <details className={used.length > 0 ? 'svc-part' : 'svc-above-3'}>
          <summary className="svc-disclosure">
            {say('Queues where nothing waits, runs or has failed: {count}', { count: idle.length })}
          </summary>
          <QueueList queues={idle} path={path} />
        </details>
      )}
    </Panel>
  )
}

function QueueList({ queues, path }: Props) {
  const say = useSay()
  if (queues.length === 0) return null
  return (
    <ul aria-label={say('Queues')} className="svc-entries">
      {queues.map((queue) => (
        <Queue key={queue.job} queue={queue} path={path} />
      ))}
    </ul>
  )
}

function Queue({ queue, path }: { queue: JobQueueItem; path: string }) {
  const say = useSay()
  const { job, cron, hasMore } = queue
  const counts = countsOf(queue)
  return (
    <li className="svc-entry-box">
      <h3 className="svc-entry-title">
        <TextLink isAlone href={jobsAddress(path, { job })} prefetch={false}>
          <code className="svc-break">{job}</code>
        </TextLink>
      </h3>
      {counts.length > 0 && (
        <p className="svc-row svc-small svc-above-1">
          {counts.map(({ words, count, state }) => (
            <TextLink isAlone key={words} href={jobsAddress(path, { job, state })} prefetch={false}>
              {say(words, { count })}
              <span className="svc-hidden"> · {job}</span>
            </TextLink>
          ))}
        </p>
      )}
      {hasMore && (
        <p className="svc-note svc-above-1">
          {say('There may be more: 1,000 of a state are counted at most.')}
        </p>
      )}
      {cron && (
        <p className="svc-note svc-above-1">
          {say.nodes('Runs next at {time}', {
            time: <ExactTime at={Date.parse(cron.nextRunAt)} />,
          })}
        </p>
      )}
    </li>
  )
}

/** Those that are not zero, with the state in which these jobs are listed. */
function countsOf({ due, later, running, failed }: JobQueueItem) {
  return (
    [
      { words: '{count} failed', count: failed, state: 'failed' },
      { words: '{count} running', count: running, state: 'running' },
      { words: '{count} due', count: due, state: 'waiting' },
      { words: '{count} later', count: later, state: 'waiting' },
    ] as const
  ).filter(({ count }) => count > 0)
}
