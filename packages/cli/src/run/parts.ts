import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from '../failure.ts'
import { readableLog } from './readable-log.ts'
import { withProgress } from './with-progress.ts'

export interface Part {
  name: string
  /** Arguments for Node. */
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** It answers 2xx or 3xx once the part is ready. */
  readyUrl: string
  /** How long that may take; two minutes unless set. */
  readyMillis?: number
  /** It prints a log, which a person reads right here. */
  isLogRead?: boolean
}

export interface RunningPart {
  name: string
  /** Resolves to whether it became ready, before it ended or the time was up. */
  isReady: () => Promise<boolean>
  ended: Promise<string>
  stop: () => Promise<void>
}

// A part has ten seconds for running requests, and some more to close what it uses.
const usualMillis = 25_000

/**
 * How long a part may take to end: before it closes its port, it continues for
 * `SVC_SHUTDOWN_DELAY`.
 */
async function stopMillis(env: NodeJS.ProcessEnv) {
  // Imported late: `npm start` runs this before that package is built.
  const { defineEnv, shutdownDelayMillis, shutdownVariables } = await import('@svc/core/env')
  const { NODE_ENV } = env
  return usualMillis + shutdownDelayMillis({ NODE_ENV, ...defineEnv(shutdownVariables)(env) })
}

export function startPart(part: Part, write = console.log): RunningPart {
  const { name, readyUrl, readyMillis = 120_000 } = part
  const { ended, hasEnded, stop } = startProcess(part, { write })

  async function isReady() {
    const until = Date.now() + readyMillis
    while (Date.now() < until) {
      if (hasEnded()) return false
      if (await answers(readyUrl)) return !hasEnded()
      await sleep(50)
    }
    return false
  }

  return {
    name,
    isReady,
    ended,
    // A part with an invalid delay doesn't start, and so has none.
    stop: async () => stop(await stopMillis(part.env).catch(() => usualMillis)),
  }
}

interface Started {
  write?: (line: string) => void
  /** It exchanges messages with this process. */
  hasChannel?: boolean
}

/** Starts Node with arguments, and prefixes each line that it prints with a name. */
export function startProcess(
  { name, args, cwd, env, isLogRead = false }: Omit<Part, 'readyUrl' | 'readyMillis'>,
  { write = console.log, hasChannel = false }: Started,
) {
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? ['ipc' as const] : [])],
    // A process group of its own: Ctrl-C reaches only us, and we end it in order and once.
    detached: process.platform !== 'win32',
  })
  const named = (line: string) => write(`${name} │ ${line}`)
  const shown = isLogRead ? readableLog(named) : { write: named, end: () => {} }
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => shown.write(line))
  }

  let isOver = false
  const closed = new Promise((resolve) => child.on('close', resolve))
  const ended = new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(`did not start: ${message}`))
    child.on('exit', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`))
  }).then(async (how) => {
    // Its last output may still be in the pipe, which a child process of it can keep open.
    await Promise.race([closed, sleep(100)])
    shown.end()
    isOver = true
    return how
  })

  async function stop(patienceMillis: number) {
    if (!isOver) child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), patienceMillis)
    await ended
    clearTimeout(late)
  }

  return { child, ended, hasEnded: () => isOver, stop }
}

async function answers(url: string) {
  try {
    const { status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    return status < 400
  } catch {
    return false
  }
}

type Begin = (part: Part) => RunningPart | Promise<RunningPart>

/** Parts that run together: when one ends, all end. */
export class Parts {
  readonly #running: RunningPart[] = []
  readonly #failure = Promise.withResolvers<never>()
  #isStopping = false

  /** Rejects when a part has ended by itself. */
  readonly failed = this.#failure.promise

  /** Starts a part and waits until it is ready. */
  async start(part: Part, begin: Begin = startPart) {
    if (this.#isStopping) return
    const started = await begin(part)
    // The stop was requested while this part started.
    if (this.#isStopping) return started.stop()
    this.#running.push(started)
    void started.ended.then((how) =>
      this.#failure.reject(new CommandFailure(`${part.name} ${how}. Its output is above.`)),
    )
    const ready = started.isReady()
    // A part that starts in another way knows itself when it is ready.
    const isReady = await (begin === startPart
      ? withProgress(`Starting: ${part.name}`, ready)
      : ready)
    if (!isReady)
      throw new CommandFailure(
        `${part.name} does not answer at ${part.readyUrl}. Look at its output above.`,
      )
  }

  async stop() {
    this.#isStopping = true
    await Promise.all(this.#running.map((part) => part.stop()))
  }
}
