import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const missing = existsSync('/dev/full') ? '' : ' (skipped: there is no /dev/full)'
const program = fileURLToPath(new URL('./program.ts', import.meta.url))

/** As if the disk that the log is on were full from the start. */
function startWithFullLog() {
  return fork(program, ['{}'], {
    execArgv: ['--conditions=svc-source'],
    stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit', 'ipc'],
    env: { NODE_ENV: 'test', SVC_PORT: '0', SVC_LOG_LEVEL: 'debug' },
  })
}

async function urlOf(child: ChildProcess) {
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  return url
}

it.skipIf(missing)(
  `F16: a log whose disk is full ends no process, and keeps none from ending${missing}`,
  async () => {
    const child = startWithFullLog()
    const ended = once(child, 'exit')
    const url = await urlOf(child)
    for (let asked = 0; asked < 20; asked++) {
      expect((await fetch(`${url}/${asked % 2 === 0 ? 'hello' : 'nowhere'}`)).status).toBe(
        asked % 2 === 0 ? 200 : 404,
      )
    }
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
  60_000,
)
