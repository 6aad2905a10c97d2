import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

const system = vi.hoisted(() => ({ hasThreads: true }))

// A system at its limit of processes, which no test can bring its own to.
vi.mock('node:worker_threads', async (importReal) => {
  const real = await importReal<typeof import('node:worker_threads')>()
  return {
    ...real,
    Worker: class extends real.Worker {
      constructor(...given: ConstructorParameters<typeof real.Worker>) {
        if (!system.hasThreads) throw new Error('ERR_WORKER_INIT_FAILED')
        super(...given)
      }
    },
  }
})

const log = { error: vi.fn() }
const unavailable = { name: 'ServiceUnavailableError', status: 503 }
const job = { kind: 'hash', forms: { sent: 'a chair', normalised: 'a chair' } } as const
const deadly = { kind: 'hash', forms: null as never } as const
const underivable = `svc1$$argon2id$v=19$m=1,t=1,p=99$${'a'.repeat(22)}$${'a'.repeat(43)}`
const verifying = (stored: string) => ({ kind: 'verify', forms: job.forms, stored }) as const
const open: { close(): Promise<void> }[] = []

function openQueue({ rounds = 4, workers = 1, nice = 19 } = {}) {
  const queue = createHashQueue({ target: { scheme: 'bcrypt', rounds }, workers, nice, log })
  open.push(queue)
  return queue
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((queue) => queue.close()))
  log.error.mockClear()
  system.hasThreads = true
})

describe('the queue of hashes', () => {
  it('hashes off the event loop (A-084)', async () => {
    const queue = openQueue()
    await queue.run(job)
    const slow = openQueue({ rounds: 12 })
    let turns = 0
    const counting = setInterval(() => (turns += 1), 1)
    await slow.run(job)
    clearInterval(counting)

    expect(turns).toBeGreaterThan(10)
  })

  it.runIf(process.platform === 'linux')('lets requests go first', async () => {
    const before = getPriority()
    await Promise.all([openQueue().run(job), openQueue().run(job)])

    expect(niceThreads()).toBe(2)
    expect(getPriority()).toBe(before)
  })

  it.runIf(process.platform === 'linux')('goes with requests where that is set', async () => {
    await openQueue({ nice: 0 }).run(job)

    expect(niceThreads()).toBe(0)
  })

  it('starts no thread before the first job', () => {
    openQueue({ workers: 4 })

    expect(niceThreads()).toBe(0)
  })

  it('answers 503 for the job of a worker that died, and starts another', async () => {
    const queue = openQueue()
    const [died, next] = await Promise.allSettled([queue.run(deadly), queue.run(job)])

    expect(died).toMatchObject({ status: 'rejected', reason: unavailable })
    expect(next).toMatchObject({ status: 'fulfilled' })
    expect(log.error).toHaveBeenCalledOnce()
    expect(await queue.run(job)).toContain('svc1$')
  })

  it('answers 503 where no thread can be started, keeps nothing of it, and tries again', async () => {
    const queue = openQueue()
    system.hasThreads = false
    // Had it stayed, it would be the first job of the next thread, and end it.
    await expect(queue.run(deadly)).rejects.toMatchObject(unavailable)
    expect(log.error).toHaveBeenCalledOnce()

    system.hasThreads = true
    expect(await queue.run(job)).toContain('svc1$')
    expect(log.error).toHaveBeenCalledOnce()
  })

  it('answers 503 to a caller who waits for a thread that died and has no successor', async () => {
    const queue = openQueue()
    const died = queue.run(deadly)
    const waiting = [queue.run(job), queue.run(job)]
    system.hasThreads = false

    for (const outcome of await Promise.allSettled([died, ...waiting])) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable })
    }
    expect(log.error).toHaveBeenCalledTimes(2)
  })

  it('goes on with the threads it has where no more can be started', async () => {
    const queue = openQueue({ workers: 2 })
    const first = queue.run(job)
    system.hasThreads = false

    for (const hash of await Promise.all([first, queue.run(job), queue.run(job)])) {
      expect(hash).toContain('svc1$')
    }
  })

  it('answers 503 where a hash could not be derived, says so without it, and goes on', async () => {
    const queue = openQueue()
    await expect(queue.run(verifying(underivable))).rejects.toMatchObject(unavailable)
    expect(log.error.mock.calls).toEqual([
      [
        { failure: { name: expect.any(String), code: expect.any(String) } },
        'a password could not be hashed or verified',
      ],
    ])
    expect(await queue.run(job)).toContain('svc1$')
    expect(log.error).toHaveBeenCalledOnce()
  })

  it('ends its threads and the waiting calls when it is closed', async () => {
    const queue = openQueue({ rounds: 12, workers: 2 })
    await Promise.all([queue.run(job), queue.run(job)])
    const jobs = Promise.allSettled(Array.from({ length: 6 }, () => queue.run(job)))
    await queue.close()

    for (const outcome of await jobs) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable })
    }
    expect(niceThreads()).toBe(0)
    await expect(queue.run(job)).rejects.toMatchObject(unavailable)
  })

  it('keeps a process for as long as a job is under way, and no longer', async () => {
    const script = `
      const { createHashQueue } = await import(${JSON.stringify(new URL('./hash-queue.ts', import.meta.url))})
      const target = { scheme: 'bcrypt', rounds: 8 }
      const queue = createHashQueue({ target, workers: 1, log: console })
      await queue.run(${JSON.stringify(job)})
      console.log(await queue.run(${JSON.stringify(job)}))
    `
    const flags = ['--conditions=svc-source', '--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 15_000 })

    expect(stdout).toContain('svc1$')
  })
})

/** How many threads of this process run at nice 19. */
function niceThreads() {
  if (process.platform !== 'linux') return 0
  const tasks = readdirSync('/proc/self/task').map((id) => statOf(id))
  // proc(5): nice is the 19th field, and the 17th behind the name.
  return tasks.filter((stat) => stat.split(') ').at(-1)?.split(' ')[16] === '19').length
}

function statOf(thread: string) {
  try {
    return readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  } catch {
    return ''
  }
}
