import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Usage } from './served.ts'

export interface Running {
  url: string
  usage(): Promise<Usage>
  stop(): Promise<void>
}

/**
 * Forks a file in a production environment. It reads this repository's packages from source unless
 * set otherwise.
 */
export function forked(
  file: string,
  env: NodeJS.ProcessEnv = {},
  conditions = ['--conditions=svc-source'],
): ChildProcess {
  return fork(file, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    execArgv: [...conditions, '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** The next message of a child. Throws if the child ends or is silent for too long. */
export async function nextMessage<T>(child: ChildProcess, withinMillis = 60_000): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error('silent'))), withinMillis)
    const onMessage = (message: unknown) => settle(() => resolve(message as T)) // our own protocol
    const onExit = (code: number | null) =>
      settle(() => reject(new Error(`${child.spawnargs.at(-1)} ended with ${code}`)))
    function settle(then: () => void) {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      then()
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
  })
}

export async function startChild(file: string, env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const child = forked(file, env)
  const stop = () => stopChild(child)
  try {
    const { url } = await nextMessage<{ url: string }>(child)
    return {
      url,
      stop,
      async usage() {
        const answer = nextMessage<Usage>(child)
        child.send('usage')
        return await answer
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const limit = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await gone
  clearTimeout(limit)
}
