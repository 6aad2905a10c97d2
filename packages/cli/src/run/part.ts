import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Part {
  name: string
  /** Arguments of Node. */
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** Answers 2xx or 3xx once the part is ready. */
  readyUrl: string
  /** How long that may take; two minutes unless set. */
  readyMillis?: number
}

export interface RunningPart {
  name: string
  /** Whether it became ready, before it ended or the time was up. */
  isReady: () => Promise<boolean>
  ended: Promise<string>
  stop: () => Promise<void>
}

const stopMillis = 15_000

export function startPart(
  { name, args, cwd, env, readyUrl, readyMillis = 120_000 }: Part,
  write = console.log,
): RunningPart {
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches us, and we end it in order and once.
    detached: process.platform !== 'win32',
  })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => write(`${name} │ ${line}`))
  }

  let hasEnded = false
  const ended = new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(`did not start: ${message}`))
    child.on('exit', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`))
  }).then(async (how) => {
    // What it wrote last may still be in the pipe, which a process it started can keep open.
    await sleep(100)
    hasEnded = true
    return how
  })

  async function isReady() {
    const until = Date.now() + readyMillis
    while (Date.now() < until) {
      if (hasEnded) return false
      if (await answers(readyUrl)) return !hasEnded
      await sleep(50)
    }
    return false
  }

  async function stop() {
    if (!hasEnded) child.kill('SIGTERM')
    const late = AbortSignal.timeout(stopMillis)
    late.addEventListener('abort', () => child.kill('SIGKILL'))
    await ended
  }

  return { name, isReady, ended, stop }
}

async function answers(url: string) {
  try {
    const { status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    return status < 400
  } catch {
    return false
  }
}
