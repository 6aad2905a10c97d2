import type { Statements } from './postgres-statements.ts'
import { storable } from './postgres-text.ts'

interface Gathered {
  channel: string
  message: string
  since: number
  done: () => void
  refuse: (cause: unknown) => void
}

const insert = {
  name: 'svc_messages_insert',
  text: `
    insert into svc_core.messages (channel, message)
    select channel, message
    from unnest($1::text[], $2::text[]) with ordinality as gathered (channel, message, place)
    order by place`,
}

const notify = { name: 'svc_messages_notify', text: 'notify svc_messages' }

/** PostgreSQL commits transactions with notifications one at a time, across all its databases. */
const betweenNotificationsMillis = 5

const mostRows = 1000
const mostCharacters = 4_000_000

/**
 * Writes all that is published in one moment with one statement, in order, and then wakes the
 * listeners.
 */
export function createPublisher({ run }: Pick<Statements, 'run'>) {
  let gathered: Gathered[] = []
  let isWriting = false
  const announce = createAnnouncer(run)

  async function writeAll() {
    while (gathered.length > 0) await write(gathered.splice(0, fitting(gathered)))
    isWriting = false
  }

  async function write(entries: Gathered[]) {
    const channels = entries.map(({ channel }) => storable(channel))
    const messages = entries.map(({ message }) => storable(message))
    const since = entries[0]?.since ?? 0
    try {
      await run({ ...insert, values: [channels, messages] }, { since })
    } catch (error) {
      // The ones that came meanwhile would have to wait as long again.
      const refused = [...entries, ...gathered]
      gathered = []
      for (const { refuse } of refused) refuse(error)
      return
    }
    announce()
    for (const { done } of entries) done()
  }

  return (channel: string, message: string) =>
    new Promise<void>((done, refuse) => {
      gathered.push({ channel, message, since: performance.now(), done, refuse })
      if (isWriting) return
      isWriting = true
      setImmediate(() => void writeAll())
    })
}

function fitting(entries: Gathered[]) {
  let characters = 0
  const tooMany = entries.findIndex(({ message }, at) => {
    characters += message.length
    return at === mostRows || (at > 0 && characters > mostCharacters)
  })
  return tooMany < 0 ? entries.length : tooMany
}

/**
 * In a statement of its own: in a writer's transaction, other writers would wait for its commit.
 */
function createAnnouncer(run: Statements['run']) {
  let announcedAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  function send() {
    timer = undefined
    announcedAt = performance.now()
    // If this fails, listeners look by themselves once a second.
    run(notify).catch(() => {})
  }

  return () => {
    if (timer) return
    const wait = announcedAt + betweenNotificationsMillis - performance.now()
    if (wait > 0) timer = setTimeout(send, wait)
    else send()
  }
}
