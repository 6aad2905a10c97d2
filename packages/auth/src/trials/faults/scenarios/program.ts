/** The application of the scenarios, as a process that a test can kill. Its variables and its time come as its argument. */
import { startServer } from '@svc/core'
import { createVirtualClock } from '@svc/core/testing'
import { stageDefinition } from './application.ts'

export interface Given {
  env: Record<string, string>
  nowMillis: number
}

const { env, nowMillis }: Given = JSON.parse(process.argv[2] ?? '{}')
// What a start sweeps has ended by the time of the test, which stands still while this one goes on.
const clock = createVirtualClock(new Date(nowMillis))
const { url } = await startServer(stageDefinition(), {
  env: { NODE_ENV: 'test', ...env },
  port: 0,
  clock,
})

process.on('message', (toMillis: number) => {
  clock.set(new Date(toMillis))
  process.send?.({ toMillis })
})
// Whoever started it is gone.
process.once('disconnect', () => process.exit(1))
process.send?.({ url })
