/** The application of the scenarios, as a process that a test can kill. Its variables come as its argument. */
import { startTestServer } from '@svc/core/testing'
import { stageDefinition } from './application.ts'

const env = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>
const { url, clock } = await startTestServer(stageDefinition(), { env })

process.on('message', (nowMillis: number) => {
  clock.set(new Date(nowMillis))
  process.send?.({ nowMillis })
})
// Whoever started it is gone.
process.once('disconnect', () => process.exit(1))
process.send?.({ url })
